// Pairs hashed by @noble/hashes, one at a time:
//   npm install && cargo xtask certify --hasher-command "node noble.mjs"

import { sha256 } from "@noble/hashes/sha2.js";
import { serve } from "./pair-hasher.mjs";

serve("noble", (pairs, nodes) => {
  for (let at = 0; at < pairs.length; at += 64) nodes.set(sha256(pairs.subarray(at, at + 64)), at / 2);
});
