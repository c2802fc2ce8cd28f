// Runs a WebAssembly program that has this machine's files: node run_wasi.mjs PROGRAM [ARGUMENT]...
import { readFile } from "node:fs/promises";
import { WASI } from "node:wasi";

const [program, ...args] = process.argv.slice(2);
const options = { version: "preview1", args: [program, ...args], env: process.env, preopens: { "/": "/" }, returnOnExit: true };
const wasi = new WASI(options);
const module = await WebAssembly.compile(await readFile(program));

// What Debian's C library lacks is left to be imported: there are no threads (ENOSYS), and no path is resolved (null).
const absent = (name) => (name.startsWith("pthread_") ? () => 52 : name === "realpath" ? () => 0 : undefined);
const wanted = WebAssembly.Module.imports(module).filter(({ module }) => module === "env").map(({ name }) => name);
const unknown = wanted.filter((name) => !absent(name));
if (unknown.length > 0) throw new Error(`the program imports ${unknown.join(", ")}, which nothing here provides`);
const env = Object.fromEntries(wanted.map((name) => [name, absent(name)]));

const instance = await WebAssembly.instantiate(module, { ...wasi.getImportObject(), env });
process.exitCode = wasi.start(instance);
