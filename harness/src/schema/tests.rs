use super::*;
use crate::types::Kind;

fn select_tag(tag: &str) -> Selection {
    select(Some(&tag.parse().unwrap()))
}

fn show(tag: &str, preset: &str, fork: &str, name: &str) -> String {
    find_type(&select_tag(tag), preset, fork, name)
        .map_or_else(|error| format!("error: {error}"), |ty| ty.to_string())
}

#[test]
fn every_definition_of_every_fork_resolves_in_both_presets() {
    let mut count = 0;
    for tag in SCHEMAS.sets.keys() {
        let apart = SCHEMAS.releases.apart(tag);
        let presets: &[&str] = if apart.is_some() { &["general"] } else { &["minimal", "mainnet"] };
        let selection = apart.unwrap_or_else(|| select_tag(tag));
        for fork in SCHEMAS.sets.values().flat_map(|set| set.forks.keys()) {
            let Ok(names) = type_names(&selection, fork) else { continue };
            for name in names {
                for preset in presets {
                    if let Err(error) = find_type(&selection, preset, fork, &name) {
                        panic!("{tag} {preset} {fork} {name}: {error}");
                    }
                    count += 1;
                }
            }
        }
    }
    assert!(count > 2000, "only {count} definitions");
}

#[test]
fn a_name_of_ssz_specs_means_what_its_folder_says() {
    let named = |folder, name| find_type(&select_ssz_specs(), "general", folder, name).unwrap();
    let (in_union, in_container) = ("test_compatible_unions", "test_progressive_containers");
    assert_ne!(named(in_union, "SampleShapeContainer"), named(in_container, "SampleShapeContainer"));
    assert_eq!(named(in_union, "SampleSquare"), named(in_container, "SampleSquare"));
    assert_eq!(named("test_basic_types", "Bytes52").to_string(), "ByteVector[52]");
    let error = find_type(&select_ssz_specs(), "general", "test_new", "A").unwrap_err().to_string();
    assert!(error.contains("add harness/schemas/ssz-specs/test_new.txt"), "{error}");
    assert!(!fork_order().contains(&in_union.to_owned()));
}

#[test]
fn presets_forks_and_releases_each_give_their_own_type() {
    assert_eq!(
        show("v1.6.0", "minimal", "phase0", "Checkpoint"),
        "Container { epoch: uint64  root: ByteVector[32]  }"
    );
    let bits = |tag, preset, fork| {
        let ty = find_type(&select_tag(tag), preset, fork, "Attestation").unwrap();
        match ty.kind() {
            Kind::Container { fields } | Kind::ProgressiveContainer { fields, .. } => {
                fields[0].ty.to_string()
            }
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(bits("v1.6.0", "minimal", "phase0"), "Bitlist[2048]");
    assert_eq!(bits("v1.6.0", "mainnet", "electra"), "Bitlist[131072]");
    assert_eq!(bits("v1.6.0", "minimal", "gloas"), "Bitlist[8192]");
    assert_eq!(bits("v1.7.0-alpha.13", "minimal", "gloas"), "ProgressiveBitlist");
    // what a later fork redefines is seen through what it does not
    let block = find_type(&select_tag("v1.7.0-alpha.13"), "minimal", "gloas", "SignedBeaconBlock").unwrap();
    assert!(block.to_string().contains("payload_attestations"));
}

#[test]
fn a_release_chooses_its_set_and_says_where_it_guesses() {
    let set = |tag| (select_tag(tag).set().to_owned(), select_tag(tag).progressive());
    assert_eq!(set("v1.1.0-alpha.8"), ("v1.6.0".into(), Progressive::RestFirst));
    assert_eq!(set("v1.7.0-alpha.1"), ("v1.6.0".into(), Progressive::RestFirst));
    assert_eq!(set("v1.7.0-alpha.2"), ("v1.7.0-alpha.13".into(), Progressive::SubtreeFirst));
    assert_eq!(set("v1.8.0"), ("v1.7.0-alpha.13".into(), Progressive::SubtreeFirst));
    assert_eq!(select_tag("v1.7.0-alpha.12").note(), None);
    assert!(select_tag("v1.7.0-beta.0").note().unwrap().contains("newer than the definitions"));
    assert!(select(None).note().unwrap().contains("no release named"));
}

#[test]
fn between_two_sets_only_what_both_agree_on_is_known() {
    assert!(show("v1.7.0-alpha.11", "minimal", "gloas", "BeaconState").contains("is not described here"));
    assert!(
        show("v1.7.0-alpha.2", "minimal", "gloas", "SignedBeaconBlock").contains("is not described here")
    );
    assert!(show("v1.7.0-alpha.2", "minimal", "heze", "InclusionList").contains("is not described here"));
    assert!(show("v1.7.0-alpha.11", "minimal", "gloas", "Checkpoint").starts_with("Container"));
    assert!(show("v1.7.0-alpha.11", "minimal", "electra", "BeaconState").starts_with("Container"));
    assert!(show("v1.7.0-alpha.12", "minimal", "gloas", "BeaconState").starts_with("ProgressiveContainer"));
}

#[test]
fn unknown_names_say_what_to_add() {
    let add = "add harness/schemas/v1.7.0-alpha.13/zuse.txt";
    assert!(show("v1.7.0-alpha.13", "minimal", "zuse", "Fork").contains(add));
    let define = "unknown type Widget: define it in harness/schemas/v1.6.0/altair.txt";
    assert_eq!(show("v1.6.0", "minimal", "altair", "Widget"), format!("error: {define}"));
    assert!(show("v1.6.0", "gnosis", "altair", "Fork").contains("unknown preset gnosis"));
    assert!(show("v1.1.0-alpha.8", "minimal", "merge", "PowBlock").starts_with("Container"));
}

#[test]
fn text_is_read_and_illegal_types_are_refused_by_rule() {
    let read = |text: &str| {
        read_type(&select_tag("v1.7.0-alpha.13"), "minimal", "ssz_generic", text)
            .map_or_else(|error| error.to_string(), |ty| ty.to_string())
    };
    assert_eq!(read("List[Vector[uint16, 2], 4]"), "List[Vector[uint16, 2], 4]");
    assert_eq!(read("Union[None, uint8]"), "Union[None, uint8]");
    assert!(read("Vector[uint8, 0]").contains("a vector has at least one element"));
    assert!(read("Bitvector[0]").contains("a vector has at least one element"));
    assert!(read("uint24").contains("the width is 8, 16, 32, 64, 128 or 256"));
    assert!(read("Container { }").contains("a container has at least one field"));
    assert!(read("Union[uint8, None]").contains("only the first of several"));
    assert!(read("ProgressiveContainer(active_fields=[1, 0]) { a: byte }").contains("ends in 0"));
    assert!(read("ProgressiveContainer(active_fields=[1] * 257) { a: byte }").contains("at most 256"));
    assert!(
        read("ProgressiveContainer(active_fields=[1, 1]) { a: byte }").contains("2 entries set for 1 fields")
    );
    assert!(read("CompatibleUnion { 0: byte }").contains("out of range (1 to 127)"));
    assert!(read("CompatibleUnion { 128: byte }").contains("out of range (1 to 127)"));
    assert!(read("CompatibleUnion { 1: byte 2: uint16 }").contains("not compatible"));
    assert_eq!(read("CompatibleUnion { 1: byte 2: uint8 }"), "CompatibleUnion({1: byte, 2: uint8})");
    assert!(read("List[uint8]").contains("takes an element type and a limit"));
    assert!(read("Vector[uint8, 1 // 0]").contains("out of range"));
    assert!(read(&"List[".repeat(40)).contains("expected"));
}

#[test]
fn a_definition_that_leads_back_to_itself_is_refused() {
    let files = [
        ("releases.txt", "set v1 from v1.0.0, progressive rest-first"),
        ("v1/a.txt", "A = List[B, 1]\nB = Container { a: A }"),
    ];
    let schemas = Schemas::read(&files).unwrap();
    let found = schemas.scope("v1", "general", "a").unwrap().resolve_name("A");
    assert_eq!(found, Err(SchemaError::Circular("A".into())));
}
