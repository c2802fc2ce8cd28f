#!/usr/bin/env python3
"""Makes `vectors.tar.gz`: vectors in the newest format of ethereum/ssz-specs, each case with a `typeDescriptor`; and some
in the first one, of the types that the official cases at hand do not have.

They are made here, not official ones: no release with this format could be had. Encodings, refusals and their reasons,
roots, generalized indices and proofs come from the specification's own package; the layout of the documents and the
spelling of their values follow the README of the project's fixtures.

    python3.12 -m venv venv && venv/bin/pip install eth-ssz-specs==0.1.0
    venv/bin/python make.py
"""

import gzip
import hashlib
import io
import json
import random
import tarfile
from pathlib import Path

import ssz
from ssz import bitfields, boolean, byte_arrays, collections, container, uint, union
from ssz.exceptions import SSZError
from ssz.gindex import get_branch_indices, get_helper_indices
from ssz.paths import chunk_count, get_generalized_index
from ssz.proofs import build_multiproof, build_proof, node_root
from ssz.roots import hash_tree_root
from ssz.verification import calculate_merkle_root, calculate_multi_merkle_root

RANDOM = random.Random(20)

DIRECTORIES = {
    "Boolean": "boolean", "Byte": "byte", "BitVector": "bit_vector", "BitList": "bit_list",
    "ProgressiveBitList": "progressive_bit_list", "ByteVector": "byte_vector", "ByteList": "byte_list",
    "Vector": "vector", "List": "list", "ProgressiveList": "progressive_list", "Container": "container",
    "ProgressiveContainer": "progressive_container", "CompatibleUnion": "compatible_union",
}


def u(bits):
    return {"kind": f"Uint{bits}", "bits": bits}


def sized(kind, key, number, element=None):
    return {"kind": kind, key: number} | ({"elementType": element} if element else {})


def fields(**types):
    return [{"name": name, "type": ty} for name, ty in types.items()]


BOOLEAN, BYTE = {"kind": "Boolean"}, {"kind": "Byte", "bits": 8}
BITS = {"kind": "ProgressiveBitList"}
ROOT = sized("ByteVector", "length", 32)


def progressive(element):
    return {"kind": "ProgressiveList", "elementType": element}


def vector(element, length):
    return sized("Vector", "length", length, element)


def listed(element, limit):
    return sized("List", "limit", limit, element)


def box(**types):
    return {"kind": "Container", "fields": fields(**types)}


def grown(layout, **types):
    return {"kind": "ProgressiveContainer", "activeFields": layout, "fields": fields(**types)}


def choice(options):
    return {"kind": "CompatibleUnion", "options": [{"selector": s, "type": t} for s, t in options.items()]}


SMALL = box(a=u(16), b=u(16))
VAR = box(a=u(16), b=listed(u(16), 1024), c=BOOLEAN)
SQUARE = grown([1, 0, 1], side=u(16), color=u(8))
CIRCLE = grown([0, 1, 1], radius=u(16), color=u(8))
SHAPE = choice({1: SQUARE, 2: CIRCLE, 127: SQUARE})
TYPES = {
    "Uint8": u(8), "Uint16": u(16), "Uint32": u(32), "Uint64": u(64), "Uint128": u(128), "Uint256": u(256),
    "Boolean": BOOLEAN, "BitVector10": sized("BitVector", "length", 10), "BitVector512": sized("BitVector", "length", 512),
    "BitList9": sized("BitList", "limit", 9), "BitList2000": sized("BitList", "limit", 2000), "Bits": BITS,
    "Bytes48": sized("ByteVector", "length", 48), "ByteList100": sized("ByteList", "limit", 100),
    "GrowingBytes": progressive(BYTE), "ByteArray5": sized("ByteVector", "length", 5),
    "Roots4": vector(ROOT, 4), "Booleans5": vector(BOOLEAN, 5), "Numbers70": listed(u(64), 70),
    "Wide": listed(u(64), 2**40), "WideRoots": listed(ROOT, 2**40), "Deep": listed(listed(listed(u(8), 2**40), 2**40), 2**40),
    "Smalls": listed(SMALL, 9), "Vars": vector(VAR, 3), "VarList": listed(VAR, 5), "GrowingNumbers": progressive(u(64)),
    "GrowingVars": progressive(VAR), "Nested": progressive(progressive(u(16))), "Small": SMALL, "Var": VAR,
    "Mixed": box(id=u(64), root=ROOT, flags=sized("BitList", "limit", 20), parts=listed(VAR, 4), shape=SHAPE, more=BITS),
    "Square": SQUARE, "Gaps": grown([1, 0, 0, 1, 0, 1], a=u(8), b=progressive(u(64)), c=VAR),
    "Late": grown([0] * 20 + [1, 1], first=ROOT, last=BITS), "Shape": SHAPE,
    "Shapes": listed(SHAPE, 6), "Deeper": choice({1: SHAPE, 2: choice({5: SQUARE})}),
}


# Of the first generation, which names its types: those whose official cases are not at hand, declared once more here.
BOUNDARIES = {f"BoundaryBitVector{n}": sized("BitVector", "length", n) for n in (1, 7, 9, 255, 256, 257)}
INNER = grown([1, 0, 1], x=u(16), y=u(8))
NAMED = {
    "test_merkleization_boundaries": BOUNDARIES | {
        "BoundaryBitList256": sized("BitList", "limit", 256), "BoundaryUint64List32": listed(u(64), 32)},
    "test_decode_failure_smoke": {"SmokeBitList8": sized("BitList", "limit", 8)},
    "test_progressive_containers": {
        "SampleSquare": SQUARE, "SampleCircle": CIRCLE, "SampleOneField": grown([1], a=u(16)),
        "SampleLeadingGaps": grown([0, 0, 1], c=u(32)),
        "SampleMultipleGaps": grown([1, 0, 0, 1, 0, 1], a=u(8), b=u(16), c=u(32)),
        "SampleWidestLayout": grown([0] * 255 + [1], tail=u(8)),
        "SampleLevelBoundary": grown([1] + [0] * 20 + [1], first=u(16), last=u(8)),
        "SampleBoundedListField": grown([1, 0, 1], head=u(64), body=listed(u(16), 4)),
        "SampleProgressiveFields": grown([1, 1, 1], head=u(64), numbers=progressive(u(64)), flags=BITS),
        "SampleInnerShape": INNER, "SampleOuterShape": grown([1, 0, 1], head=u(8), inner=INNER),
        "SampleSquareProgressiveList": progressive(SQUARE), "SampleShapeContainer": box(tag=u(8), shape=SQUARE)},
}


def build(descriptor):
    """The package's type for a description. Raises where the declaration is illegal."""
    kind = descriptor["kind"]
    element = build(descriptor["elementType"]) if "elementType" in descriptor else None
    make = lambda base, **members: type("T", (base,), {"__module__": __name__, **members})
    capacities = {key.upper(): descriptor[key] for key in ("length", "limit") if key in descriptor}
    if kind == "Boolean":
        return boolean.Boolean
    if kind in ("Byte", "Uint8"):
        return uint.Uint8
    if kind.startswith("Uint"):
        return getattr(uint, kind)
    if kind in ("BitVector", "BitList", "ProgressiveBitList"):
        return make(getattr(bitfields, kind), **capacities)
    if kind in ("ByteVector", "ByteList"):
        return make(getattr(byte_arrays, kind), **capacities)
    if kind in ("Vector", "List", "ProgressiveList"):
        return make(getattr(collections, kind), ELEMENT_TYPE=element, **capacities)
    if kind == "Container":
        return make(container.Container, __annotations__={f["name"]: build(f["type"]) for f in descriptor["fields"]})
    if kind == "ProgressiveContainer":
        members = {"__annotations__": {f["name"]: build(f["type"]) for f in descriptor["fields"]}}
        return make(container.ProgressiveContainer, ACTIVE_FIELDS=tuple(descriptor["activeFields"]), **members)
    if kind == "CompatibleUnion":
        return make(union.CompatibleUnion, OPTIONS={o["selector"]: build(o["type"]) for o in descriptor["options"]})
    raise ValueError(kind)


def fixed_size(d):
    kind = d["kind"]
    if kind == "Boolean":
        return 1
    if "bits" in d:
        return d["bits"] // 8
    if kind == "BitVector":
        return (d["length"] + 7) // 8
    if kind == "ByteVector":
        return d["length"]
    if kind == "Vector":
        inner = fixed_size(d["elementType"])
        return None if inner is None else inner * d["length"]
    if kind in ("Container", "ProgressiveContainer"):
        sizes = [fixed_size(f["type"]) for f in d["fields"]]
        return None if None in sizes else sum(sizes)
    return None


def some(limit):
    return min(limit, RANDOM.choice([0, 1, 2, 3, 5, 9, 22, 40]))


def random_bytes(d):
    """The encoding of a random value."""
    kind = d["kind"]
    if kind == "Boolean":
        return bytes([RANDOM.randrange(2)])
    if "bits" in d:
        return RANDOM.randbytes(d["bits"] // 8)
    if kind == "BitVector":
        return RANDOM.getrandbits(d["length"]).to_bytes((d["length"] + 7) // 8, "little")
    if kind in ("BitList", "ProgressiveBitList"):
        length = min(d.get("limit", 1500), RANDOM.choice([0, 1, 7, 8, 9, 255, 256, 257, 1300]))
        return (RANDOM.getrandbits(length) | 1 << length if length else 1).to_bytes(length // 8 + 1, "little")
    if kind == "ByteVector":
        return RANDOM.randbytes(d["length"])
    if kind == "ByteList":
        return RANDOM.randbytes(RANDOM.randrange(d["limit"] + 1))
    if kind == "Vector":
        return join([d["elementType"]] * d["length"])
    if kind == "List":
        return join([d["elementType"]] * some(d["limit"]))
    if kind == "ProgressiveList":
        return join([d["elementType"]] * some(40))
    if kind in ("Container", "ProgressiveContainer"):
        return join([f["type"] for f in d["fields"]])
    option = RANDOM.choice(d["options"])
    return bytes([option["selector"]]) + random_bytes(option["type"])


def join(types):
    parts = [random_bytes(t) for t in types]
    fixed = [fixed_size(t) is not None for t in types]
    offset = sum(len(p) if f else 4 for p, f in zip(parts, fixed))
    head, tail = b"", b""
    for part, is_fixed in zip(parts, fixed):
        if is_fixed:
            head += part
        else:
            head += (offset + len(tail)).to_bytes(4, "little")
            tail += part
    return head + tail


def hexed(data):
    return "0x" + bytes(data).hex()


def spell(d, value):
    """A value as the newest fixtures write it."""
    kind = d["kind"]
    if kind == "Boolean":
        return bool(value)
    if kind == "Byte":
        return hexed([int(value)])
    if kind.startswith("Uint"):
        return str(int(value))
    if "Bit" in kind or kind in ("ByteVector", "ByteList") or d.get("elementType", {}).get("kind") == "Byte":
        return hexed(value.encode_bytes())
    if kind in ("Vector", "List", "ProgressiveList"):
        return [spell(d["elementType"], element) for element in value.data]
    if kind in ("Container", "ProgressiveContainer"):
        return {f["name"]: spell(f["type"], getattr(value, f["name"])) for f in d["fields"]}
    option = next(o["type"] for o in d["options"] if o["selector"] == int(value.selector))
    return {"selector": str(int(value.selector)), "data": spell(option, value.data)}


CASES = []


def case(form, name, descriptor, valid, title, document):
    kind = descriptor["kind"]
    directory = DIRECTORIES.get(kind, kind.lower())
    number = sum(1 for c in CASES if c[0].startswith(f"{form}/{directory}/"))
    path = f"{form}/{directory}/{'valid' if valid else 'invalid'}/{name.lower()}-{title}-{number}.json"
    suffix = "" if form == "ssz_type_rejection" else "_test"
    info = {"comment": "made by harness/tests/ssz_specs/make.py, not official", "fixtureFormat": form + suffix}
    body = {"typeName": name, **document, "valid": valid, "typeDescriptor": descriptor, "_info": info}
    CASES.append((path, body))


def fault_of(action):
    """The name of the refusal that an action ends in."""
    try:
        action()
    except SSZError as error:
        return error.fault.name
    return None


def make_ssz(name, d, cls):
    for _ in range(2):
        data = random_bytes(d)
        value = cls.decode_bytes(data)
        assert value.encode_bytes() == data
        document = {"serialized": hexed(data), "value": spell(d, value), "root": hexed(hash_tree_root(value))}
        case("ssz", name, d, True, "random", document)
    made = set()
    for _ in range(200):
        data = bytearray(random_bytes(d))
        how = RANDOM.randrange(3)
        if how == 0 and data:
            del data[RANDOM.randrange(len(data)):]
        elif how == 1:
            data += RANDOM.randbytes(RANDOM.choice([1, 2, 33]))
        elif data:
            data[RANDOM.randrange(min(len(data), 12))] ^= 1 << RANDOM.randrange(8)
        reason = fault_of(lambda: cls.decode_bytes(bytes(data)))
        if reason and reason not in made and len(data) < 300:
            made.add(reason)
            case("ssz", name, d, False, reason.lower().replace("_", "-"),
                 {"rejectionReason": reason, "serialized": hexed(data)})


MIXINS = {"__len__": "elementCount", "__active_fields__": "fieldLayout", "__selector__": "typeSelector"}


def random_path(d, value=None):
    """Steps through a type; with a value, only to what is there."""
    path = []
    while True:
        kind = d["kind"]
        if RANDOM.randrange(5) == 0:
            word = {"List": "__len__", "BitList": "__len__", "ByteList": "__len__", "ProgressiveList": "__len__",
                    "ProgressiveBitList": "__len__", "ProgressiveContainer": "__active_fields__",
                    "CompatibleUnion": "__selector__"}.get(kind)
            return path + [word] if word else path
        if kind in ("Container", "ProgressiveContainer"):
            f = RANDOM.choice(d["fields"])
            path.append(f["name"])
            d, value = f["type"], value and getattr(value, f["name"])
        elif kind in ("Vector", "List", "ProgressiveList"):
            count = len(value.data) if value is not None else d.get("length", d.get("limit", 10**6))
            if not count:
                return path
            at = RANDOM.randrange(count)
            path.append(at)
            d, value = d["elementType"], value and value.data[at]
        elif kind in ("BitVector", "BitList", "ByteVector", "ByteList", "ProgressiveBitList") and value is None:
            return path + [RANDOM.randrange(d.get("length", d.get("limit", 10**6)))]
        elif kind == "CompatibleUnion":
            options = {o["selector"]: o["type"] for o in d["options"]}
            selector = int(value.selector) if value is not None else RANDOM.choice(list(options))
            path.append(selector)
            d, value = options[selector], value and value.data
        else:
            return path


def make_gindex(name, d, cls):
    for _ in range(3):
        path = random_path(d)
        index = get_generalized_index(cls, *path)
        document = {"path": [{"mixin": MIXINS[s]} if s in MIXINS else s for s in path],
                    "gindex": str(index), "depth": index.bit_length() - 1}
        try:
            count = chunk_count(cls)
            document |= {"chunkCount": count, "treeWidth": 1 << max(count - 1, 0).bit_length()}
        except SSZError:
            pass
        case("ssz_gindex", name, d, True, "path", document)
    for step in ("nothing", 2**50, "__len__", "__active_fields__", "__selector__"):
        for path in ([step], [*random_path(d), step], [step, 0]):
            reason = fault_of(lambda: get_generalized_index(cls, *path))
            known = any(b["typeName"] == name and b.get("rejectionReason") == reason for p, b in CASES if "gindex" in p)
            if reason and not known:
                spelled = [{"mixin": MIXINS[s]} if s in MIXINS else s for s in path]
                case("ssz_gindex", name, d, False, reason.lower().replace("_", "-"),
                     {"rejectionReason": reason, "path": spelled})


def step_of(step):
    if step in MIXINS:
        return {"mixin": step}
    return {"field": step} if isinstance(step, str) else {"position": str(step)}


def make_proofs(name, d, cls):
    value = max((cls.decode_bytes(random_bytes(d)) for _ in range(6)), key=lambda v: len(v.encode_bytes()) % 700)
    root = hash_tree_root(value)
    base = {"value": spell(d, value), "serialized": hexed(value.encode_bytes()), "root": hexed(root)}
    paths = {}
    for _ in range(40):
        path = random_path(d, value)
        index = get_generalized_index(cls, *path)
        if index > 1:
            paths.setdefault(index, path)
    if not paths:
        return
    index, path = RANDOM.choice(list(paths.items()))
    leaf, branch = node_root(value, index), build_proof(value, index)
    single = lambda leaf, branch, index=index, path=path: base | {
        "path": [step_of(s) for s in path], "index": str(index), "leaf": hexed(leaf),
        "branch": [hexed(n) for n in branch],
        "branchIndices": [str(i) for i in get_branch_indices(index)] if index > 1 else []}
    assert calculate_merkle_root(leaf, branch, index) == root
    case("proof", name, d, True, "path", single(leaf, branch))
    tampered = bytes([leaf[0] ^ 1]) + bytes(leaf[1:])
    case("proof", name, d, False, "tampered-leaf", single(tampered, branch))
    if branch != branch[::-1]:
        case("proof", name, d, False, "reversed-branch", single(leaf, branch[::-1]))
    reason = fault_of(lambda: calculate_merkle_root(leaf, branch[1:], index))
    case("proof", name, d, False, "short-branch", {"rejectionReason": reason} | single(leaf, branch[1:]))
    case("proof", name, d, False, "short-leaf", {"rejectionReason": "COUNT"} | single(leaf[:31], branch))
    stricter = {"rejectionReason": "ROOT_HAS_NO_BRANCH", "stricterThanSpec": "the root with an empty branch"}
    case("proof", name, d, False, "root", stricter | single(root, [], 1, []))
    if d["kind"] in ("ProgressiveList", "ProgressiveBitList"):
        path = [10**9]
        index = get_generalized_index(cls, *path)
        reason = fault_of(lambda: node_root(value, index))
        document = base | {"path": [step_of(s) for s in path], "index": str(index), "branchIndices": []}
        case("proof", name, d, False, "past-spine", {"rejectionReason": reason} | document)
    make_multiproofs(name, d, value, base, paths)


def make_multiproofs(name, d, value, base, paths):
    root = hash_tree_root(value)
    chosen = {}
    for index in RANDOM.sample(list(paths), len(paths)):
        related = lambda a, b: a >> max(a.bit_length() - b.bit_length(), 0) == b
        if len(chosen) < 4 and not any(related(index, c) or related(c, index) for c in chosen):
            chosen[index] = paths[index]
    indices = list(chosen)
    multi = lambda indices, leaves, proof, helpers: base | {
        "paths": [[step_of(s) for s in paths[i]] for i in indices], "indices": [str(i) for i in indices],
        "leaves": [hexed(n) for n in leaves], "helperIndices": [str(i) for i in helpers],
        "proof": [hexed(n) for n in proof]}
    leaves, proof = [node_root(value, i) for i in indices], build_multiproof(value, indices)
    helpers = get_helper_indices(indices)
    assert calculate_multi_merkle_root(leaves, proof, indices) == root
    case("multiproof", name, d, True, "paths", multi(indices, leaves, proof, helpers))
    tampered = [bytes([leaves[0][0] ^ 1]) + bytes(leaves[0][1:]), *leaves[1:]]
    case("multiproof", name, d, False, "tampered-leaf", multi(indices, tampered, proof, helpers))
    for title, wrong_indices, wrong_leaves, wrong_proof, stricter in (
        ("short-proof", indices, leaves, proof[1:], None),
        ("short-leaves", indices, leaves[1:], proof, None),
        ("repeated", [*indices, indices[0]], [*leaves, leaves[0]], [], "a repeated index"),
        ("empty", [], [], [], "an empty index set"),
    ):
        if title == "short-proof" and not proof:
            continue
        reason = fault_of(lambda: calculate_multi_merkle_root(wrong_leaves, wrong_proof, wrong_indices))
        document = {"rejectionReason": reason} | ({"stricterThanSpec": stricter} if stricter else {})
        case("multiproof", name, d, False, title, document | multi(wrong_indices, wrong_leaves, wrong_proof, []))


def make_json(name, d, cls):
    data = random_bytes(d)
    document = spell(d, cls.decode_bytes(data))
    case("ssz_json", name, d, True, "random", {"document": document, "serialized": hexed(data)})
    wrong = [("null", "ELEMENT_KIND", None)]
    if isinstance(document, str) and document.startswith("0x"):
        wrong += [("no-prefix", "HEX_PREFIX", document[2:]), ("digits", "HEX_DIGITS", document + "zz")]
        wrong += [("odd", "HEX_DIGITS", document + "0")]
    elif isinstance(document, str):
        wrong += [("negative", "UINT_RANGE", "-1"), ("range", "UINT_RANGE", str(1 << d["bits"])), ("number", "ELEMENT_KIND", 1)]
        wrong += [("zero", "ELEMENT_KIND", "0" + document)]
    elif isinstance(document, dict) and "fields" in d:
        first = next(iter(document))
        wrong += [("missing", "MISSING_FIELD", {k: v for k, v in document.items() if k != first})]
        wrong += [("more", "UNDECLARED_FIELD", document | {"zzz": "1"}), ("array", "STRUCT_NOT_AN_OBJECT", [])]
    elif isinstance(document, dict):
        wrong += [("selector", "UNDECLARED_SELECTOR", document | {"selector": "99"})]
    elif "limit" in d and d["limit"] < 10:
        wrong += [("over-limit", "OVER_LIMIT", [spell(d["elementType"], build(d["elementType"]).decode_bytes(
            random_bytes(d["elementType"]))) for _ in range(d["limit"] + 1)])]
    for title, reason, document in wrong:
        case("ssz_json", name, d, False, title, {"rejectionReason": reason, "document": document})


def make_rejections():
    two = fields(a=u(8), b=u(8))
    illegal = [
        sized("Vector", "length", 0, u(8)), sized("BitVector", "length", 0), sized("ByteVector", "length", 0),
        {"kind": "Vector", "elementType": u(8)}, {"kind": "BitList"}, {"kind": "ByteList", "limit": -1},
        sized("List", "limit", -1, u(64)), {"kind": "ProgressiveContainer", "activeFields": [], "fields": []},
        {"kind": "ProgressiveContainer", "activeFields": [1, 1, 0], "fields": two},
        {"kind": "ProgressiveContainer", "activeFields": [1, 0, 1, 1], "fields": two},
        {"kind": "ProgressiveContainer", "activeFields": [1, 2], "fields": two},
        {"kind": "ProgressiveContainer", "activeFields": [1] + [0] * 255 + [1], "fields": two},
        choice({}), choice({0: SQUARE}), choice({128: SQUARE}), choice({1: SQUARE, 2: SMALL}), choice({1: u(8), 2: u(16)}),
        {"kind": "List", "limit": 4, "length": 4, "elementType": u(8)},
        {"kind": "ProgressiveList", "limit": 4, "elementType": u(8)},
    ]
    for d in illegal:
        reason = fault_of(lambda: build(d)().encode_bytes())
        if reason:
            case("ssz_type_rejection", "Illegal", d, False, reason.lower().replace("_", "-"), {"rejectionReason": reason})
    # the package cannot declare these at all
    for d, reason in (({"kind": "Uint24", "bits": 24}, "UINT_WIDTH"), ({"kind": "Container", "fields": []}, "CONTAINER_EMPTY")):
        case("ssz_type_rejection", "Illegal", d, False, reason.lower().replace("_", "-"), {"rejectionReason": reason})


def make_named(folder, name, d):
    """A case of the first generation: under its test's id, its type by name."""
    data = random_bytes(d)
    value = build(d).decode_bytes(data)
    inner = {"typeName": name, "value": spell(d, value), "serialized": hexed(data), "root": hexed(hash_tree_root(value)),
             "_info": {"comment": "made by harness/tests/ssz_specs/make.py, not official", "fixtureFormat": "ssz_test"}}
    CASES.append((f"ssz/ssz/{folder}/{name.lower()}.json", {f"made/{folder}::{name}[ssz_test]": inner}))


def write(path):
    files = {f"fixtures/{name}": json.dumps(body, indent=1).encode() + b"\n" for name, body in CASES}
    index = [{"id": name, "path": name, "sha256": hashlib.sha256(files[f"fixtures/{name}"]).hexdigest()} for name, _ in CASES]
    files["fixtures/index.json"] = json.dumps({"cases": index}).encode() + b"\n"
    manifest = {"formatVersion": 1, "specVersion": "0.1.0", "generator": "made here", "caseCount": len(CASES)}
    files["fixtures/manifest.json"] = json.dumps(manifest).encode() + b"\n"
    files["fixtures/README.md"] = b"Made by harness/tests/ssz_specs/make.py; not official vectors.\n"
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for name in sorted(files):
            entry = tarfile.TarInfo(name)
            entry.size = len(files[name])
            archive.addfile(entry, io.BytesIO(files[name]))
    path.write_bytes(gzip.compress(packed.getvalue(), 9, mtime=0))


def main():
    for name, descriptor in TYPES.items():
        cls = build(descriptor)
        for make in (make_ssz, make_gindex, make_proofs, make_json):
            make(name, descriptor, cls)
    make_rejections()
    for folder, named in NAMED.items():
        for name, descriptor in named.items():
            make_named(folder, name, descriptor)
    path = Path(__file__).with_name("vectors.tar.gz")
    write(path)
    counts = {}
    for name, body in CASES:
        key = f"{name.split('/')[0]} {'valid' if body.get('valid', True) else 'invalid'}"
        counts[key] = counts.get(key, 0) + 1
    print(f"{len(CASES)} cases, {path.stat().st_size} bytes: {counts}")


if __name__ == "__main__":
    main()
