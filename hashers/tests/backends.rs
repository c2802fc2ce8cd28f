//! What holds of the list of backends on every machine.

use std::collections::HashSet;

use pair_hashers::{Family, Unavailable, auto, auto_shares, backends, cpu, find};

#[test]
fn names_are_unique_and_begin_with_the_family() {
    let mut seen = HashSet::new();
    for backend in backends() {
        assert!(backend.name().strip_prefix(backend.family().name()).unwrap().starts_with('/'));
        assert!(seen.insert(backend.name()), "{} twice", backend.name());
        assert_eq!(find(backend.name()).unwrap().name(), backend.name());
        assert!(backend.lanes() > 0);
    }
    assert!(find("sha256/nonesuch").is_none());
}

#[test]
fn portable_and_auto_are_always_available() {
    for &family in Family::ALL {
        for name in ["portable", "auto"].map(|name| format!("{family}/{name}")) {
            assert_eq!(find(&name).unwrap().availability(), Ok(()), "{name}");
        }
        assert_eq!(auto(family).name(), format!("{family}/auto"));
        assert_eq!(auto(family).family(), family);
    }
}

#[test]
fn a_backend_is_unavailable_for_a_reason_that_holds() {
    for backend in backends() {
        assert_eq!(backend.hasher().is_ok(), backend.availability().is_ok());
        match backend.availability() {
            Ok(()) => {
                for &feature in backend.requires() {
                    assert_eq!(cpu::support(feature), cpu::Support::Usable, "{}", backend.name());
                }
            }
            Err(Unavailable::Architecture(arch)) => assert_ne!(arch, cpu::ARCH, "{}", backend.name()),
            Err(Unavailable::Cpu(features)) => {
                assert!(features.iter().all(|feature| cpu::support(feature) == cpu::Support::Missing));
                assert!(features.iter().all(|feature| backend.requires().contains(&feature)));
            }
            Err(Unavailable::System(features)) => {
                assert!(features.iter().all(|feature| cpu::support(feature) == cpu::Support::Disabled));
            }
            Err(Unavailable::Build(_)) => {}
            Err(reason) => panic!("{}: {reason}", backend.name()),
        }
    }
}

#[test]
fn auto_shares_out_every_pair_to_available_backends() {
    for &family in Family::ALL {
        for n in (0..200).chain([1024, 4096, 65536]) {
            let shares: Vec<_> = auto_shares(family, n).collect();
            assert_eq!(shares.iter().map(|share| share.1).sum::<usize>(), n);
            for (backend, pairs) in shares {
                assert_eq!(backend.family(), family);
                assert_eq!(backend.availability(), Ok(()), "{} for {pairs} of {n} pairs", backend.name());
            }
        }
    }
}
