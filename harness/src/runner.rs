//! Many cases: all of some sources at once ([`sweep`]), or each as a test of its own ([`trials`]).

pub mod sweep;
pub mod trials;
