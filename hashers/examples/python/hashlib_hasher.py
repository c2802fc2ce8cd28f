"""Pairs hashed by hashlib:  cargo xtask certify --hasher-command "python3 hashlib_hasher.py"

The protocol is in hashers/PROTOCOL.md: each message is a payload behind its length, in 4 bytes, little-endian.
"""

import hashlib
import sys


def hash_pairs(pairs: bytes) -> bytes:
    """The hash of each 64 bytes: put your own hasher here."""
    return b"".join(hashlib.sha256(pairs[at : at + 64]).digest() for at in range(0, len(pairs), 64))


def send(payload: bytes) -> None:
    sys.stdout.buffer.write(len(payload).to_bytes(4, "little") + payload)
    sys.stdout.buffer.flush()


send(b"pair-hasher/1 sha256 hashlib")
while length := sys.stdin.buffer.read(4):
    send(hash_pairs(sys.stdin.buffer.read(int.from_bytes(length, "little"))))
