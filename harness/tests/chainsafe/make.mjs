// Makes `proofs.json.gz`: random objects with generalized indices, proofs and multiproofs of them, all by @chainsafe/ssz,
// an implementation unrelated to this one. Of each proof the digest is kept: SHA-256 over its leaves, then its nodes.
//
//     npm install @chainsafe/ssz@1.9.0      (in a folder beside the repository)
//     NODE_PATH=that/folder/node_modules node make.mjs
import {createHash} from "node:crypto";
import {writeFileSync} from "node:fs";
import {gzipSync} from "node:zlib";
import {pathToFileURL} from "node:url";

const modules = process.env.NODE_PATH;
const load = (name) => import(pathToFileURL(`${modules}/@chainsafe/${name}/lib/index.js`).href);
const ssz = await load("ssz");
const {createProof, ProofType} = await load("persistent-merkle-tree");

// splitmix64
let state = 7n;
const M = (1n << 64n) - 1n;
function next() {
  state = (state + 0x9e3779b97f4a7c15n) & M;
  let z = state;
  z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & M;
  z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & M;
  return z ^ (z >> 31n);
}
const below = (n) => Number(next() % BigInt(n));
const bytes = (n) => Uint8Array.from({length: n}, () => below(256));
const some = () => [0, 1, 2, 3, 5, 9, 22, 60][below(8)];

// A type: its text in this repository's notation, the library's type, a random value, and random steps to a part.
const uint = (bits) => ({
  text: `uint${bits}`,
  type: new ssz.UintBigintType(bits / 8),
  value: () => BigInt("0x" + Buffer.from(bytes(bits / 8)).toString("hex")),
});
const byteVector = (n) => ({text: `ByteVector[${n}]`, type: new ssz.ByteVectorType(n), value: () => bytes(n)});
const byteList = (n) => ({text: `ByteList[${n}]`, type: new ssz.ByteListType(n), value: () => bytes(below(n + 1)), length: true});
const bits = (n) => ssz.BitArray.fromBoolArray(Array.from({length: n}, () => below(2) === 1));
const bitVector = (n) => ({text: `Bitvector[${n}]`, type: new ssz.BitVectorType(n), value: () => bits(n)});
const bitList = (n) => ({text: `Bitlist[${n}]`, type: new ssz.BitListType(n), value: () => bits(below(n + 1)), length: true});
const grownBits = {text: "ProgressiveBitlist", type: new ssz.ProgressiveBitListType(), value: () => bits(below(1500)), length: true};
const isBasic = (t) => t.text.startsWith("uint");
const elements = (t, count) => Array.from({length: count}, () => t.value());
function sequence(t, text, type, count, length) {
  const next = (value) => {
    if (value.length === 0) return [];
    const at = below(value.length);
    return [[at, t, value[at]]];
  };
  return {text, type, value: () => elements(t, count()), next, length};
}
const vector = (t, n) =>
  sequence(t, `Vector[${t.text}, ${n}]`, isBasic(t) ? new ssz.VectorBasicType(t.type, n) : new ssz.VectorCompositeType(t.type, n), () => n, false);
const list = (t, n) =>
  sequence(t, `List[${t.text}, ${n}]`, isBasic(t) ? new ssz.ListBasicType(t.type, n) : new ssz.ListCompositeType(t.type, n), () => Math.min(n, some()), true);
const grown = (t) =>
  sequence(t, `ProgressiveList[${t.text}]`, isBasic(t) ? new ssz.ProgressiveListBasicType(t.type) : new ssz.ProgressiveListCompositeType(t.type), some, true);
function fields(named, head, type) {
  const inner = Object.entries(named).map(([name, t]) => `${name}: ${t.text}`).join("  ");
  const value = () => Object.fromEntries(Object.entries(named).map(([name, t]) => [name, t.value()]));
  const next = (value) => {
    const names = Object.keys(named);
    const name = names[below(names.length)];
    return [[name, named[name], value[name]]];
  };
  return {text: `${head} { ${inner} }`, type, value, next};
}
const types = (named) => Object.fromEntries(Object.entries(named).map(([name, t]) => [name, t.type]));
const container = (named) => fields(named, "Container", new ssz.ContainerType(types(named)));
const progressive = (active, named) =>
  fields(named, `ProgressiveContainer(active_fields=[${active.join(", ")}])`, new ssz.ProgressiveContainerType(types(named), active.map((bit) => bit === 1)));
const union = (options) => ({
  text: `CompatibleUnion { ${Object.entries(options).map(([s, t]) => `${s}: ${t.text}`).join("  ")} }`,
  type: new ssz.CompatibleUnionType(types(options)),
  value: () => {
    const selectors = Object.keys(options);
    const selector = selectors[below(selectors.length)];
    return {selector: Number(selector), data: options[selector].value()};
  },
});

const root = byteVector(32);
const small = container({a: uint(16), b: uint(64), c: byteVector(48)});
const varied = container({a: uint(16), b: list(uint(16), 1024), c: byteList(100)});
const square = progressive([1, 0, 1], {side: uint(16), color: uint(8)});
const circle = progressive([0, 1, 1], {radius: uint(16), color: uint(8)});
const gaps = progressive([1, 0, 0, 1, 0, 1, 1], {a: uint(8), b: grown(uint(64)), c: varied, d: bitList(300)});
const wide = 2 ** 40;
const TYPES = [
  small, varied, square, gaps, vector(root, 5), vector(uint(64), 9), list(uint(64), wide), list(root, wide),
  list(list(uint(16), wide), wide), list(small, 70), list(varied, 9), grown(uint(64)), grown(root), grown(varied),
  grown(grown(uint(16))), bitVector(600), bitList(2000), grownBits, byteVector(161), union({1: square, 2: circle}),
  list(union({1: square, 2: circle, 127: square}), 6),
  container({root, number: uint(256), flags: bitVector(10), lists: list(varied, 4), gaps, more: grownBits}),
];

const hex = (data) => Buffer.from(data).toString("hex");
const digest = (nodes) => hex(createHash("sha256").update(Buffer.concat(nodes)).digest());

// A node that is there: below the root by the steps of a random walk that ends at random.
function randomIndex(node) {
  let index = 1n;
  for (let depth = 1 + below(24); depth > 0; depth--) {
    if (node.isLeaf()) break;
    const right = below(3) === 0;
    node = right ? node.right : node.left;
    index = index * 2n + (right ? 1n : 0n);
  }
  return index;
}

function randomPath(t, value) {
  const path = [];
  while (t.next && (path.length === 0 || below(4) > 0)) {
    const [step] = t.next(value);
    if (step === undefined) break;
    path.push(step[0]);
    [, t, value] = step;
  }
  return path;
}

const related = (a, b) => {
  const [x, y] = a > b ? [a, b] : [b, a];
  return x >> BigInt(x.toString(2).length - y.toString(2).length) === y;
};

const objects = [];
for (const [number, t] of TYPES.entries()) {
  for (let count = 0; count < 12; count++) {
    let value = t.value();
    for (let again = 0; again < 50 && t.type.serialize(value).length > 900; again++) value = t.value();
    const node = t.type.value_toTree(value);
    const object = {type: number, bytes: hex(t.type.serialize(value)), root: hex(node.root), paths: [], proofs: []};
    for (let i = 0; i < 2 && t.next; i++) {
      const path = randomPath(t, value);
      if (path.length > 0) object.paths.push([path, String(t.type.getPathInfo(path).gindex)]);
    }
    const indices = [];
    for (let i = 0; i < 5; i++) {
      const index = randomIndex(node);
      if (index > 1n && !indices.some((other) => related(index, other))) indices.push(index);
    }
    for (const gindex of indices.slice(0, 2)) {
      const proof = createProof(node, {type: ProofType.single, gindex});
      object.proofs.push([String(gindex), digest([proof.leaf, ...proof.witnesses])]);
    }
    if (indices.length > 0) {
      const proof = createProof(node, {type: ProofType.multi, gindices: indices});
      object.multiproof = [proof.gindices.map(String), digest([...proof.leaves, ...proof.witnesses])];
    }
    objects.push(object);
  }
}
const made = {by: "harness/tests/chainsafe/make.mjs with @chainsafe/ssz 1.9.0", types: TYPES.map((t) => t.text), objects};
const packed = gzipSync(JSON.stringify(made), {level: 9});
writeFileSync(new URL("proofs.json.gz", import.meta.url), packed);
console.log(`${objects.length} objects, ${objects.filter((o) => o.multiproof).length} multiproofs, ${packed.length} bytes`);
