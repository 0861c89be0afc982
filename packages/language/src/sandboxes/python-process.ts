/**
 * Takes the way to JavaScript away, in Python: references to Pyodide's own objects, which a program would find among all live objects, the
 * finder that imports objects of JavaScript, what that finder knows, and all modules of Pyodide. A module that is removed from
 * `sys.modules` cannot be imported again.
 */
const cutOff = `
import sys, json, gc
for holder in gc.get_objects():
    if type(holder).__name__ == "JsLoader":
        holder.jsproxy = None
    elif type(holder) is dict:
        for name, value in list(holder.items()):
            if any(kind.__name__ == "JsProxy" for kind in type(value).__mro__):
                holder[name] = None
for finder in list(sys.meta_path):
    if type(finder).__name__ == "JsFinder":
        finder.jsproxies.clear()
        sys.meta_path.remove(finder)
for name in list(sys.modules) + ["js", "pyodide_js"]:
    if name.split(".")[0] in ("js", "pyodide_js", "pyodide", "_pyodide", "_pyodide_core"):
        sys.modules[name] = None
`;

/** How Python, and JavaScript beneath it, report exhausted memory or stack. */
export const outOfMemory =
  /^(MemoryError|RecursionError)|call stack|(Map|Set) maximum size exceeded|Invalid (array|string|typed array) length|allocation failed|no more memory/;

/** JSON from Python's text, in which NaN and infinities are numbers: they become null, but not in strings. */
export const withoutNonFinite = (text: string): string =>
  text.replace(/"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b/g, (part) => (part.startsWith('"') ? part : "null"));

/** Parameters of a process; the rest arrives on its fourth stream. */
export interface PythonProcess {
  /** The module `pyodide.mjs`. */
  readonly url: string;
  readonly megabytes: number;
  readonly characters: number;
  readonly steps: number;
}

/**
 * The program of a Python process, as text, since it may run only there. Its fourth stream gives it the length of the
 * WebAssembly code in four bytes, the instrumented WebAssembly code, and an image of Python's memory. Without an
 * image it starts Python from scratch, prints the image and exits; with one it is ready at once, reads a program from
 * its input, prints the outcome and exits.
 */
export const pythonProcess = ({ url, megabytes, characters, steps }: PythonProcess): string => `
import crypto from "node:crypto";
import dgram from "node:dgram";
import fs from "node:fs";
import net from "node:net";
import { createInterface } from "node:readline";
const given = fs.readFileSync(3);
const length = given.readUInt32LE(0);
const module = given.subarray(4, 4 + length);
const image = given.subarray(4 + length);
// The clock advances a millisecond with each read, so that waiting ends; random numbers are the same each time.
let [now, drawn] = [Date.UTC(2000, 0, 1), 1];
const tick = () => ++now;
Date.now = tick;
Object.defineProperty(globalThis, "performance", { value: { now: tick } });
const fill = (view) => {
  const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
  for (let i = 0; i < bytes.length; i++) bytes[i] = (drawn = Math.imul(drawn, 1664525) + 1013904223) >>> 24;
  return view;
};
crypto.randomFillSync = fill;
globalThis.crypto.getRandomValues = fill;
Math.random = () => (drawn = (Math.imul(drawn, 1664525) + 1013904223) >>> 0) / 2 ** 32;
const grow = WebAssembly.Memory.prototype.grow;
WebAssembly.Memory.prototype.grow = function (pages) {
  if (this.buffer.byteLength + pages * 65536 > ${megabytes} * 2 ** 20) throw new RangeError("no more memory");
  return grow.call(this, pages);
};
const instantiate = WebAssembly.instantiate;
let fuel;
WebAssembly.instantiate = async (_, imports) => {
  const made = await instantiate(module, imports);
  fuel = made.instance.exports.fuel;
  return made;
};
// Pyodide reads flag numbers in a way that the permission model rejects.
process.binding = () => ({ fs: fs.constants });
let output = "";
const { loadPyodide } = await import(${JSON.stringify(url)});
const withoutNonFinite = ${withoutNonFinite};
const python = await loadPyodide({
  jsglobals: Object.create(null),
  env: { HOME: "/home/pyodide", PYTHONHASHSEED: "0" },
  stdin: () => null,
  stdout: (line) => { if (output.length <= ${characters}) output += line + "\\n"; },
  stderr: () => {},
  ...(image.length ? { _loadSnapshot: image } : { _makeSnapshot: true }),
});
WebAssembly.instantiate = instantiate;
if (!image.length) {
  // Frequently imported modules are preloaded.
  python.runPython("import sys, json, math, random, re, string, itertools, functools, collections, heapq, bisect, datetime");
  const bytes = python.makeMemorySnapshot();
  for (let at = 0; at < bytes.length; ) at += fs.writeSync(1, bytes, at);
  process.exit(0);
}
// The permission model does not cover sockets.
const no = () => { throw new Error("there is no network here"); };
net.Socket.prototype.connect = net.Server.prototype.listen = dgram.Socket.prototype.bind = dgram.Socket.prototype.send = no;
for (const name of ["fetch", "WebSocket", "EventSource", "XMLHttpRequest"]) delete globalThis[name];
python.runPython(${JSON.stringify(cutOff)});
const dumps = python.runPython("lambda v, d=json.dumps: d(v)");
const say = (o) => fs.writeSync(1, JSON.stringify(o) + "\\n");
say({ ready: true });
createInterface({ input: process.stdin }).once("line", (line) => {
  let answer;
  fuel.value = ${steps};
  try {
    const globals = python.toPy({});
    const value = python.runPython(JSON.parse(line), { globals });
    let text = "null";
    try { text = dumps(value); } catch {}
    answer = text.length + output.length > ${characters}
      ? { status: "memory", message: "The result has more than ${characters} characters." }
      : { status: "ok", value: { value: JSON.parse(withoutNonFinite(text)), output } };
  } catch (error) {
    const message = String(error?.message ?? error).trim().split("\\n").pop();
    const full = ${outOfMemory}.test(message);
    answer = { status: full ? "memory" : "error", message };
  }
  if (fuel.value < 0) answer = { status: "timeout", message: "It took too many steps." };
  say(answer);
  process.exit(0);
});
process.stdin.once("close", () => process.exit(0));
`;
