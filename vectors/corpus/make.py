#!/usr/bin/env python3
"""Makes corpus.tar.gz, the vectors embedded in the crate, with the specification's own generators.

    python3.11 -m venv VENV
    VENV/bin/pip install -r vectors/corpus/requirements.txt
    VENV/bin/python vectors/corpus/make.py

Every case has the name, the seed and so the contents that it has in the official release v1.7.0-alpha.13; this script
only chooses which cases to keep. The result does not depend on when, where or in how many processes it is made.
"""

import argparse
import gzip
import hashlib
import importlib
import io
import multiprocessing
import re
import sys
import tarfile
import tempfile
import typing
from inspect import getmembers, isclass
from pathlib import Path
from random import Random

HERE = Path(__file__).resolve().parent


def cache_protocol_checks():
    """Makes isinstance() on Protocol classes look at each class once: Python 3.11 walks all members every time."""
    slow, known = typing._ProtocolMeta.__instancecheck__, {}

    def fast(cls, instance):
        # A class is looked at itself: classes of one metaclass differ in their members.
        key = (cls, instance if isinstance(instance, type) else type(instance))
        if key not in known:
            known[key] = slow(cls, instance)
        return known[key]

    typing._ProtocolMeta.__instancecheck__ = fast


cache_protocol_checks()

from eth_consensus_specs.debug.encode import encode  # noqa: E402
from eth_consensus_specs.debug.random_value import RandomizationMode, get_random_ssz_object  # noqa: E402
from eth_consensus_specs.test import context  # noqa: E402
from eth_consensus_specs.test.helpers.constants import MAINNET, MINIMAL, TESTGEN_FORKS  # noqa: E402
from eth_consensus_specs.test.utils.dumper import Dumper  # noqa: E402
from eth_consensus_specs.utils import kzg  # noqa: E402
from eth_consensus_specs.utils.ssz.ssz_impl import hash_tree_root, serialize  # noqa: E402
from eth_consensus_specs.utils.ssz.ssz_typing import Container, ProgressiveContainer  # noqa: E402

# The package imports one of its own modules by the path that it has in the specification's repository.
sys.modules["tests.core.pyspec.eth_consensus_specs.test.helpers.churn"] = importlib.import_module(
    "eth_consensus_specs.test.helpers.churn"
)

# Tests yield their parts only in this mode.
context.is_pytest = context.is_generator = True

# ---- ssz_static -----------------------------------------------------------------------------------------------------

# Suite, mode, chaos, and how many cases the official minimal preset has of it: part of the seed.
SUITES = [
    ("ssz_random", RandomizationMode.mode_random, False, 30),
    ("ssz_zero", RandomizationMode.mode_zero, False, 1),
    ("ssz_max", RandomizationMode.mode_max, False, 1),
    ("ssz_nil", RandomizationMode.mode_nil_count, False, 1),
    ("ssz_one", RandomizationMode.mode_one_count, False, 30),
    ("ssz_lengthy", RandomizationMode.mode_max_count, False, 30),
    ("ssz_random_chaos", RandomizationMode.mode_random, True, 30),
]
SUITES = [(name, mode, chaos, count if chaos or mode.is_changing() else 1) for name, mode, chaos, count in SUITES]
MAINNET_COUNT = 5
ZERO = 1

# How much a static case may weigh, compressed: a state, and any other type. What is heavier gives way to the type's zero.
MAX_STATE, MAX_STATIC = 12 << 10, 6 << 10


def static_types():
    """Every type of every fork, in a fixed order."""
    for fork in TESTGEN_FORKS:
        for name, value in getmembers(context.spec_targets[MINIMAL][fork], isclass):
            if issubclass(value, Container | ProgressiveContainer) and value not in (Container, ProgressiveContainer):
                yield fork, name


def static_value(preset, fork, name, mode, chaos, count, i):
    """The object of one official case."""
    typ = getattr(context.spec_targets[preset][fork], name)
    keys = {
        "fork_name": None,
        "preset_name": preset,
        "name": name,
        "ssz_type_name": typ.__name__,
        "random_mode_name": mode.to_name(),
        "chaos": chaos,
        "count": count,
        "i": i,
    }
    text = "".join(f"{key}={value}" for key, value in sorted(keys.items()))
    seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "little")
    return get_random_ssz_object(Random(seed), typ, 1000, 10, mode, chaos)


def minimal_case(fork, name, turn, index):
    """One minimal case of a type: of the suite whose turn it is, or the zero if that is too heavy."""
    for suite, mode, chaos, count in (SUITES[turn % len(SUITES)], SUITES[ZERO]):
        i = index % min(count, 6)
        value = static_value(MINIMAL, fork, name, mode, chaos, count, i)
        if is_light(name, value) or suite == SUITES[ZERO][0]:
            return [(f"{MINIMAL}/{fork}/ssz_static/{name}/{suite}/case_{i}", static_parts(value))]


def mainnet_case(fork, name, index):
    """One mainnet case of a type, unless it is too heavy: mainnet has no suite of zeros."""
    suite, mode, chaos, _ = SUITES[0]
    i = index % MAINNET_COUNT
    value = static_value(MAINNET, fork, name, mode, chaos, MAINNET_COUNT, i)
    if is_light(name, value):
        return [(f"{MAINNET}/{fork}/ssz_static/{name}/{suite}/case_{i}", static_parts(value))]
    return []


def static_parts(value):
    return [
        ("value", "data", encode(value)),
        ("serialized", "ssz", serialize(value)),
        ("roots", "data", {"root": "0x" + hash_tree_root(value).hex()}),
    ]


def is_light(name, value):
    return weight(serialize(value)) <= (MAX_STATE if name == "BeaconState" else MAX_STATIC)


def weight(data):
    """About how many bytes of the archive an object takes, its YAML not counted."""
    return len(gzip.compress(data, compresslevel=1))


def static_jobs():
    """Two minimal cases of each type, their suites in turn, and one mainnet case of every third."""
    for k, (fork, name) in enumerate(static_types()):
        yield minimal_case, (fork, name, k, k // 7)
        yield minimal_case, (fork, name, k + 3, k // 5)
        if k % 3 == 0:
            yield mainnet_case, (fork, name, k)


# ---- ssz_generic ----------------------------------------------------------------------------------------------------

GENERIC = {
    "basic_progressive_list": "ssz_basic_progressive_list",
    "basic_vector": "ssz_basic_vector",
    "bitlist": "ssz_bitlist",
    "bitvector": "ssz_bitvector",
    "boolean": "ssz_boolean",
    "compatible_unions": "ssz_compatible_union",
    "containers": "ssz_container",
    "progressive_bitlist": "ssz_progressive_bitlist",
    "progressive_containers": "ssz_progressive_container",
    "uints": "ssz_uints",
}

# About how many cases to keep of each handler's valid and invalid ones.
GENERIC_COUNT = 72

# How much a generic case may weigh, compressed, and those that are known to weigh more: they are slow to make.
MAX_GENERIC = 16 << 10
HEAVY_GENERIC = re.compile(r"Progressive(Complex)?TestStruct_(random|lengthy|zero|max|extra_byte)(?!_chaos)")

# What of a case's name is its type; the rest describes the case.
GENERIC_TYPE = re.compile(
    r"vec_[a-z0-9]+_\d+|proglist_[a-z0-9]+|bitlist_(?:\d+|no_delimiter)|bitvec_\d+|progbitlist|uint_\d+|[A-Za-z]+"
)


def generic_jobs():
    for handler, module in GENERIC.items():
        module = importlib.import_module(f"eth_consensus_specs.test.phase0.ssz_generic.ssz_generic_cases.{module}")
        for suite, cases in (("valid", module.valid_cases()), ("invalid", module.invalid_cases())):
            for group in spread(dict(cases)):
                yield generic_case, (f"general/phase0/ssz_generic/{handler}/{suite}", group)


def spread(cases):
    """Groups of cases, of which one each is to be kept: those of a type, cut evenly in the order of their names."""
    types = {}
    for name in sorted(name for name in cases if not HEAVY_GENERIC.match(name)):
        types.setdefault(GENERIC_TYPE.match(name).group(), []).append((name, cases[name]))
    for group in types.values():
        keep = min(len(group), max(1, GENERIC_COUNT // len(types)))
        for k in range(keep):
            yield group[k * len(group) // keep : (k + 1) * len(group) // keep]


def generic_case(folder, group):
    """The first case of a group that is not too heavy."""
    for name, make in group:
        try:
            parts = list(make())
        except context.SkippedTest:
            continue
        if all(kind != "ssz" or weight(data) <= MAX_GENERIC for _, kind, data in parts):
            return [(f"{folder}/{name}", parts)]
    return []


# ---- Merkle proofs --------------------------------------------------------------------------------------------------

PROOFS = [
    ("light_client", "altair.light_client"),
    ("light_client", "capella.light_client"),
    ("light_client", "gloas.light_client"),
    ("merkle_proof", "deneb.merkle_proof"),
    ("merkle_proof", "fulu.merkle_proof"),
]

# How much the object of a proof may weigh, compressed. The heavier ones are random blocks.
MAX_PROOF = {MINIMAL: 32 << 10, MAINNET: 80 << 10}


def proof_jobs():
    for runner, package in PROOFS:
        module = importlib.import_module(f"eth_consensus_specs.test.{package}.test_single_merkle_proof")
        tests = [(name, test) for name, test in sorted(vars(module).items()) if name.startswith("test_")]
        for preset in (MINIMAL, MAINNET):
            for fork in TESTGEN_FORKS:
                for name, test in tests:
                    yield proof_case, (preset, fork, runner, name.removeprefix("test_"), test)


def proof_case(preset, fork, runner, name, test):
    # A mainnet state is big: one proof a fork is enough of it.
    if preset == MAINNET and name not in MAINNET_PROOFS:
        return []
    if fork not in phases_of(test):
        return []
    parts = list(test(preset=preset, phase=fork)[fork])
    if any(kind == "ssz" and weight(data) > MAX_PROOF[preset] for _, kind, data in parts):
        return []
    return [(f"{preset}/{fork}/{runner}/single_merkle_proof/{test.suite_name}/{name}", parts)]


MAINNET_PROOFS = {
    "finality_root_merkle_proof",
    "execution_merkle_proof",
    "execution_block_hash_merkle_proof",
    "blob_kzg_commitment_merkle_proof__basic",
    "blob_kzg_commitments_merkle_proof__basic",
}


def phases_of(test):
    """The forks that a test is decorated with."""
    cells = dict(zip(test.__code__.co_freevars, test.__closure__ or ()))
    return cells["phases"].cell_contents


# ---- The archive ----------------------------------------------------------------------------------------------------


def dump(folder, path, parts):
    """Writes the parts of a case as the official generator does."""
    dumper, meta = Dumper(), {}
    for name, kind, data in parts:
        if kind == "meta":
            meta[name] = data
        else:
            getattr(dumper, f"dump_{kind}")(folder / path, name, data)
    dumper.dump_meta(folder / path, meta)
    levels = ("preset", "fork", "runner", "handler", "suite", "case")
    dumper.dump_manifest(folder / path, dict(zip(levels, path.split("/"))))


def run(index):
    """Makes the cases of one job; by index, since what makes them cannot be sent to another process."""
    make, arguments = JOBS[index]
    cases = make(*arguments)
    for path, parts in cases:
        dump(FOLDER, path, parts)
    return [path for path, _ in cases]


def pack(folder):
    """A tar of everything below `folder` as tests/..., sorted, without owners or times."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            entry = tarfile.TarInfo(f"tests/{path.relative_to(folder).as_posix()}")
            entry.size, entry.mode = path.stat().st_size, 0o644
            with path.open("rb") as file:
                tar.addfile(entry, file)
    return buffer.getvalue()


def main():
    parser = argparse.ArgumentParser(description="Makes the embedded corpus.")
    parser.add_argument("--into", type=Path, default=HERE, help="folder for the archive and its digests")
    parser.add_argument("--processes", type=int, default=None, help="default: one for each core")
    arguments = parser.parse_args()

    global JOBS, FOLDER
    kzg.load_trusted_setup()
    JOBS = [*static_jobs(), *generic_jobs(), *proof_jobs()]
    with tempfile.TemporaryDirectory() as folder:
        FOLDER = Path(folder)
        with multiprocessing.get_context("fork").Pool(arguments.processes) as pool:
            made = [path for paths in pool.imap_unordered(run, range(len(JOBS)), chunksize=4) for path in paths]
        tar = pack(FOLDER)
    archive = gzip.compress(tar, compresslevel=9, mtime=0)
    (arguments.into / "corpus.tar.gz").write_bytes(archive)
    digests = [(archive, "corpus.tar.gz"), (tar, "corpus.tar")]
    lines = [f"{hashlib.sha256(data).hexdigest()}  {name}\n" for data, name in digests]
    (arguments.into / "corpus.sha256").write_text("".join(lines))
    print(f"{len(set(made))} cases, {len(archive)} bytes")


if __name__ == "__main__":
    main()
