//! Where cases come from.
