// Pairs hashed by @chainsafe/as-sha256, four lanes at a time in WebAssembly SIMD:
//   npm install && cargo xtask certify --hasher-command "node as-sha256.mjs"
// Each of its ways to hash many pairs can be named: "node as-sha256.mjs batchHash4HashObjectInputs".

import * as sha256 from "@chainsafe/as-sha256";
import { serve } from "./pair-hasher.mjs";

const ways = {
  hashInto: sha256.hashInto,

  batchHash4UintArray64s: inFours((pairs, nodes) => {
    const four = [0, 64, 128, 192].map((at) => pairs.subarray(at, at + 64));
    sha256.batchHash4UintArray64s(four).forEach((node, lane) => nodes.set(node, 32 * lane));
  }),

  batchHash4HashObjectInputs: inFours((pairs, nodes) => {
    const eight = [0, 32, 64, 96, 128, 160, 192, 224].map((at) => sha256.byteArrayToHashObject(pairs, at));
    const four = sha256.batchHash4HashObjectInputs(eight);
    four.forEach((node, lane) => sha256.hashObjectToByteArray(node, nodes, 32 * lane));
  }),

  digest64: (pairs, nodes) => {
    for (let at = 0; at < pairs.length; at += 64) nodes.set(sha256.digest64(pairs.subarray(at, at + 64)), at / 2);
  },
};

/** Whole groups of four pairs by `hashFour`, what is left one by one. */
function inFours(hashFour) {
  return (pairs, nodes) => {
    const whole = pairs.length - (pairs.length % 256);
    for (let at = 0; at < whole; at += 256) {
      hashFour(pairs.subarray(at, at + 256), nodes.subarray(at / 2, at / 2 + 128));
    }
    ways.digest64(pairs.subarray(whole), nodes.subarray(whole / 2));
  };
}

const way = process.argv[2] ?? "hashInto";
if (!(way in ways)) throw new Error(`unknown way ${way}: expected one of ${Object.keys(ways).join(", ")}`);
if (way !== "digest64" && !sha256.simdEnabled) throw new Error("this node has no WebAssembly SIMD");
serve(`as-sha256/${way}`, ways[way]);
