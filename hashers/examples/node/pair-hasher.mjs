// The protocol of hashers/PROTOCOL.md: each message is a payload behind its length, in 4 bytes, little-endian.

import { readSync, writeSync } from "node:fs";

/**
 * Hashes for the process at the other end of standard input and output, until that ends.
 * @param {string} name without spaces
 * @param {(pairs: Uint8Array, nodes: Uint8Array) => void} hashPairs writes the hash of each 64 bytes of `pairs` to the 32
 *   bytes of `nodes` in its place
 */
export function serve(name, hashPairs) {
  write(Buffer.from(`pair-hasher/1 sha256 ${name}`));
  for (let length = read(4); length !== null; length = read(4)) {
    const pairs = read(length.readUInt32LE());
    const nodes = Buffer.alloc(pairs.length / 2);
    hashPairs(pairs, nodes);
    write(nodes);
  }
}

/** The next bytes of standard input, or null at its end. */
function read(length) {
  const bytes = Buffer.alloc(length);
  for (let at = 0; at < length; ) {
    const got = readSync(0, bytes, at, length - at, null);
    if (got === 0) return null;
    at += got;
  }
  return bytes;
}

function write(payload) {
  const frame = Buffer.alloc(4 + payload.length);
  frame.writeUInt32LE(payload.length);
  payload.copy(frame, 4);
  for (let at = 0; at < frame.length; ) at += writeSync(1, frame, at);
}
