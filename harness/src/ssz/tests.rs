use super::*;
use crate::schema;
use crate::types::Type;

fn ty(text: &str) -> Type {
    schema::read_type(&schema::select(None), "minimal", "ssz_generic", text).unwrap()
}

fn bytes(hex: &str) -> Vec<u8> {
    alloy_primitives::hex::decode(hex).unwrap()
}

/// Decodes, encodes again, and writes the value on one line.
fn round_trip(text: &str, hex: &str) -> String {
    let (ty, bytes) = (ty(text), bytes(hex));
    match decode(&ty, &bytes) {
        Ok(value) => {
            assert_eq!(encode(&ty, &value).unwrap(), bytes, "{text} {hex}");
            let yaml = value.to_yaml(&ty).unwrap();
            assert_eq!(Value::from_yaml(&ty, &yaml).unwrap(), value, "{text} {yaml}");
            Shown(&ty, &value).to_string()
        }
        Err(error) => error.to_string(),
    }
}

#[test]
fn every_kind_of_value_goes_both_ways() {
    assert_eq!(round_trip("boolean", "01"), "true");
    assert_eq!(round_trip("uint64", "0100000000000080"), "9223372036854775809");
    let max = "115792089237316195423570985008687907853269984665640564039457584007913129639935";
    assert_eq!(round_trip("uint256", &"ff".repeat(32)), format!("\"{max}\""));
    assert_eq!(round_trip("Bitvector[10]", "ff03"), "\"0xff03\"");
    assert_eq!(round_trip("Bitlist[16]", "01"), "\"0x01\"");
    assert_eq!(round_trip("Bitlist[16]", "0001"), "\"0x0001\"");
    assert_eq!(round_trip("ProgressiveBitlist", "0a"), "\"0x0a\"");
    assert_eq!(round_trip("ByteVector[3]", "010203"), "\"0x010203\"");
    assert_eq!(round_trip("ByteList[3]", ""), "\"0x\"");
    assert_eq!(round_trip("ProgressiveList[byte]", "0102"), "\"0x0102\"");
    assert_eq!(round_trip("Vector[uint16, 2]", "01000200"), "[1,2]");
    assert_eq!(round_trip("List[boolean, 4]", "0100"), "[true,false]");
    assert_eq!(round_trip("List[ByteList[4], 4]", "0800000009000000aabbcc"), "[\"0xaa\",\"0xbbcc\"]");
    assert_eq!(round_trip("List[uint64, 4]", ""), "[]");
    assert_eq!(round_trip("SmallTestStruct", "01000200"), "{\"A\":1,\"B\":2}");
    assert_eq!(round_trip("VarTestStruct", "0100070000000309000a00"), "{\"A\":1,\"B\":[9,10],\"C\":3}");
    assert_eq!(round_trip("Union[None, uint16]", "00"), "{\"selector\":0,\"data\":null}");
    assert_eq!(round_trip("Union[None, uint16]", "010500"), "{\"selector\":1,\"data\":5}");
    assert_eq!(round_trip("CompatibleUnionA", "0107"), "{\"selector\":1,\"data\":{\"A\":7}}");
}

#[test]
fn every_broken_rule_is_named_with_path_and_offset() {
    let cases = [
        ("boolean", "02", "at byte 0: expected a boolean, 0x00 or 0x01, found 0x02"),
        ("boolean", "", "at byte 0: expected 1 bytes, found 0"),
        ("uint16", "010203", "at byte 2: expected 2 bytes, found 3"),
        ("Bitvector[10]", "ff07", "at byte 1: a bit is set past the 10 bits of the vector"),
        ("Bitvector[10]", "ff", "at byte 1: expected 2 bytes, found 1"),
        ("Bitlist[8]", "", "at byte 0: expected at least one byte, with the bit list's delimiter"),
        ("Bitlist[8]", "ff00", "at byte 1: the bit list's last byte is zero: its delimiter is missing"),
        ("Bitlist[8]", "0002", "at byte 0: the limit is 8, found 9"),
        ("ByteList[2]", "010203", "at byte 0: the limit is 2, found 3"),
        ("List[uint16, 2]", "010203", "at byte 2: 3 bytes do not divide into elements of 2"),
        ("List[uint16, 2]", "010002000300", "at byte 0: the limit is 2, found 3"),
        ("Vector[uint16, 2]", "0100", "at byte 2: expected 4 bytes, found 2"),
        ("List[boolean, 4]", "010003", "[2]: at byte 2: expected a boolean, 0x00 or 0x01, found 0x03"),
        ("VarTestStruct", "0100", "at byte 2: expected at least 7 bytes, found 2"),
        (
            "VarTestStruct",
            "01000600000003",
            "B: at byte 2: the first offset is 6, expected 7, the end of the fixed part",
        ),
        (
            "VarTestStruct",
            "0100080000000309",
            "B: at byte 2: the first offset is 8, expected 7, the end of the fixed part",
        ),
        ("VarTestStruct", "0100ff00000003", "B: at byte 2: offset 255 is past the end, 7"),
        ("SmallTestStruct", "0100020003", "at byte 4: expected 4 bytes, found 5"),
        (
            "List[ByteList[4], 4]",
            "0500000000",
            "at byte 0: the list's first offset is 5, expected a positive multiple of 4",
        ),
        (
            "List[ByteList[4], 4]",
            "00000000",
            "at byte 0: the list's first offset is 0, expected a positive multiple of 4",
        ),
        ("List[ByteList[4], 4]", "08000000", "at byte 0: offset 8 is past the end, 4"),
        (
            "List[ByteList[4], 4]",
            "0800000007000000",
            "[1]: at byte 4: offset 7 is below the one before it, 8",
        ),
        ("List[ByteList[4], 1]", "0800000008000000", "at byte 0: the limit is 1, found 2"),
        (
            "Vector[ByteList[4], 2]",
            "0400000000000000",
            "at byte 0: the first offset is 4, expected 8, the end of the fixed part",
        ),
        (
            "List[VarTestStruct, 4]",
            "0400000001000700000003ff",
            "[0].B: at byte 11: 1 bytes do not divide into elements of 2",
        ),
        ("Union[None, uint16]", "", "at byte 0: expected a union's selector, found no byte"),
        ("Union[None, uint16]", "0001", "at byte 1: expected no bytes after the selector of None, found 1"),
        ("Union[None, uint16]", "02", "at byte 0: selector 2 names no option of the union"),
        ("CompatibleUnionA", "00", "at byte 0: selector 0 names no option of the union"),
        ("CompatibleUnionA", "01", "at byte 1: expected 1 bytes, found 0"),
    ];
    for (ty, hex, expected) in cases {
        assert_eq!(round_trip(ty, hex), expected, "{ty} {hex}");
    }
}

#[test]
fn memory_follows_the_input_not_its_claims() {
    // a first offset that claims a billion elements, and a limit that would allow them
    let found = round_trip("List[ByteList[4], 1099511627776]", "fcffffff");
    assert_eq!(found, "at byte 0: offset 4294967292 is past the end, 4");
    assert!(round_trip("Vector[uint64, 1099511627776]", "00").contains("expected 8796093022208 bytes"));
}

#[test]
fn yaml_of_older_and_newer_releases_is_read() {
    let read = |text: &str, yaml: &str| {
        let ty = ty(text);
        Value::from_yaml(&ty, yaml)
            .map_or_else(|error| error.to_string(), |value| Shown(&ty, &value).to_string())
    };
    assert_eq!(read("uint64", "12\n...\n"), "12");
    assert_eq!(
        read("uint128", "'340282366920938463463374607431768211455'"),
        "\"340282366920938463463374607431768211455\""
    );
    assert_eq!(
        read("uint128", "340282366920938463463374607431768211455"),
        "\"340282366920938463463374607431768211455\""
    );
    assert_eq!(read("ProgressiveList[byte]", "[1, 255]"), "\"0x01ff\"");
    assert_eq!(read("SmallTestStruct", "{B: 1, A: 2}"), "{\"A\":2,\"B\":1}");
    assert_eq!(read("List[uint8, 4]", "[]"), "[]");
}

#[test]
fn yaml_that_is_no_value_of_the_type_is_refused() {
    let error = |text: &str, yaml: &str| match Value::from_yaml(&ty(text), yaml) {
        Ok(value) => panic!("{text} {yaml}: {value:?}"),
        Err(error) => error.to_string(),
    };
    let cases = [
        ("SmallTestStruct", "{A: 1}", "field B is missing"),
        ("SmallTestStruct", "{A: 1, B: 2, C: 3}", "unknown field C, expected A, B"),
        ("SmallTestStruct", "{A: 1, A: 2, B: 3}", "field A is given twice"),
        ("SmallTestStruct", "{A: 65536, B: 1}", "A: 65536 is out of range, expected uint16"),
        ("SmallTestStruct", "[1, 2]", "expected a map of 2 fields from A"),
        ("List[uint16, 4]", "[1, 2", "while parsing"),
        ("List[SmallTestStruct, 4]", "[{A: 1, B: 2}, {A: 1, B: x}]", "[1].B: invalid value: string"),
        ("uint8", "-1", "expected a decimal number for uint8"),
        ("uint8", "1.5", "expected a decimal number for uint8"),
        ("uint8", "'+1'", "expected a decimal number for uint8"),
        ("uint256", &format!("'{}'", "9".repeat(90)), "expected a decimal number for uint256"),
        ("boolean", "1", "expected true or false"),
        ("ByteVector[2]", "'0x01'", "expected 2 bytes, found 1"),
        ("ByteVector[2]", "'0102'", "expected hexadecimal digits after 0x"),
        ("ByteVector[2]", "[1]", "invalid length 1"),
        ("Bitlist[4]", "'0x00'", "its delimiter is missing"),
        ("Vector[uint8, 2]", "[1, 2, 3]", "expected a sequence of 2 elements"),
        ("List[uint8, 2]", "[1, 2, 3]", "the limit is 2, found 3"),
        ("List[uint8, 2]", "[1, x]", "[1]: invalid value"),
        ("CompatibleUnionA", "{selector: 2, data: {A: 1}}", "selector 2 names no option"),
        ("CompatibleUnionA", "{selector: 1}", "data of a union is missing"),
        ("CompatibleUnionA", "{data: {A: 1}, selector: 1}", "expected selector of a union, found data"),
        ("Union[None, uint8]", "{selector: 0, data: 1}", "expected null"),
    ];
    for (ty, yaml, expected) in cases {
        let found = error(ty, yaml);
        assert!(found.contains(expected), "{ty} {yaml}: {found}");
    }
}

#[test]
fn the_first_difference_is_named() {
    let difference = |text: &str, a: &str, b: &str| {
        let ty = ty(text);
        let (a, b) = (Value::from_yaml(&ty, a).unwrap(), Value::from_yaml(&ty, b).unwrap());
        first_difference(&ty, &a, &b).map(|difference| difference.to_string()).unwrap_or_default()
    };
    assert_eq!(difference("uint8", "1", "1"), "");
    assert_eq!(difference("uint8", "1", "2"), "the value is 1 and 2");
    assert_eq!(difference("List[uint8, 9]", "[1, 2]", "[1, 3]"), "[1] is 2 and 3");
    assert_eq!(difference("List[uint8, 9]", "[1, 2]", "[1]"), "the value is 2 elements long and 1");
    let (a, b) = ("[{A: 1, B: [2], C: 3}]", "[{A: 1, B: [4], C: 5}]");
    assert_eq!(difference("List[VarTestStruct, 9]", a, b), "[0].B[0] is 2 and 4");
}
