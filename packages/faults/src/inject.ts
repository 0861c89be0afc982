/**
 * Loaded before a program (`node --import`): wraps the functions of `node:fs` that change files, and injects the fault into one
 * of them. Modules that have imported them see the wrapped ones. Syncing is counted but not done: no campaign cuts the power,
 * and written data outlives the process.
 */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { relative, resolve } from "node:path";
import { type Arm, armed, type Fault } from "./fault.ts";

type Call = (...args: unknown[]) => unknown;
const real: Record<string, Call> = Object.fromEntries(
  Object.keys(fs).map((name) => [name, Reflect.get(fs, name)]),
);
const paths = new Map<number, string>();
let fault: Fault | undefined;
let count = 0;
let trace: string[] = [];
/** Whether a call has failed already. */
let met = false;
/** Functions of `node:fs` call each other; only the program's own calls are counted. */
let inside = false;

const below = (path: unknown): path is string =>
  fault !== undefined && typeof path === "string" && resolve(path).startsWith(fault.root);

/** The path of a call, if it is below the root. */
function subject(name: string, args: readonly unknown[]): string | undefined {
  if (typeof args[0] === "number") return paths.get(args[0]);
  const both = /^(rename|link|copyFile)/.test(name) ? [args[1], args[0]] : [args[0]];
  return both.map((p) => (p instanceof URL ? p.pathname : p)).find(below);
}

/** Calls that can fail with a code. A full disk allows deletion, and a process out of file handles can still use open files. */
const can: { readonly [code: string]: RegExp } = {
  ENOSPC: /^(open|write|append|mkdir|mkdtemp|rename|link|copyFile|fsync)/,
  EMFILE: /^(open|writeFile|appendFile|copyFile|readFile|readdir)/,
  EACCES: /^(open|writeFile|appendFile|copyFile|mkdir|mkdtemp|rename|link|rm|unlink|readFile|readdir)/,
  EROFS: /^(?!close|read)/,
  EIO: /./,
};

const isRead = (name: string, args: readonly unknown[]) =>
  /^read/.test(name) || (/^open/.test(name) && (args[1] === undefined || args[1] === "r"));

const nothing = new Int32Array(new SharedArrayBuffer(4));
const error = (code: string, name: string, path: string) =>
  Object.assign(new Error(`${code}: injected, ${name} '${path}'`), { code, syscall: name, path });

/** Applies the fault to a call: throws, ends the process, or returns how much of it to do. */
function meet(name: string, path: string, before: boolean, half: () => void): "whole" | "short" {
  if (!fault) return "whole";
  const { kind, at, when = "before", code = "EIO", lasting } = fault;
  if (kind === "slow") {
    const draw = Math.imul(count + 97 * at, 2654435761) >>> 8;
    if (before && draw % 2) Atomics.wait(nothing, 0, 0, (draw >>> 1) % 7);
    return "whole";
  }
  if (kind === "count" || count < at) return "whole";
  if (kind === "kill") {
    if (count > at) return "whole";
    if (when === "within" && before) half();
    if ((when === "after") !== before) process.kill(process.pid, "SIGKILL");
    return "whole";
  }
  // The first call from there on that can fail with the code; others succeed.
  if (!before || (met && !lasting)) return "whole";
  if (kind === "short") return "short";
  if (!can[code].test(name)) return "whole";
  met = true;
  if (when === "within") half();
  throw error(code, name, path);
}

/** A call with the fault before or after it. */
function wrap(name: string): Call {
  const call = real[name];
  return (...args) => {
    if (inside || !fault) return remember(name, args, call(...args));
    const path = subject(name, args);
    if (path === undefined || (isRead(name, args) && !fault.reads))
      return remember(name, args, call(...args));
    count++;
    trace.push(`${name} ${relative(fault.root, resolve(path))}`);
    inside = true;
    try {
      const half = () => name === "writeSync" && writePart(args);
      if (meet(name, path, true, half) === "short" && name === "writeSync") return writePart(args);
      const result = remember(name, args, call(...args));
      meet(name, path, false, half);
      return result;
    } finally {
      inside = false;
    }
  };
}

function remember(name: string, args: readonly unknown[], result: unknown): unknown {
  if (name === "openSync" && below(args[0])) paths.set(result as number, args[0]);
  if (name === "closeSync") paths.delete(args[0] as number);
  return result;
}

/** Writes the first half of the bytes, at least one. */
function writePart([fd, bytes, from = 0, length, position]: readonly unknown[]): unknown {
  const all = typeof bytes === "string" ? Buffer.from(bytes) : (bytes as Uint8Array);
  const wanted = (length as number | undefined) ?? all.length - (from as number);
  return real.writeSync(fd, all, from, Math.max(1, wanted >> 1), position);
}

/** The same wrapper for functions that return promises. File handles are not wrapped: Reins does not write through them. */
function wrapAsync(name: string, call: Call): Call {
  return async (...args) => {
    const path = fault && subject(name, args);
    if (path === undefined || (isRead(name, args) && !fault?.reads)) return call(...args);
    count++;
    trace.push(`${name} ${relative(fault!.root, resolve(path))}`);
    const half = () =>
      name === "writeFile" && real.writeFileSync(args[0], Buffer.from(args[1] as string).subarray(0, 10));
    meet(name, path, true, half);
    const result = await call(...args);
    meet(name, path, false, half);
    return result;
  };
}

const writing =
  "openSync writeSync fsyncSync ftruncateSync closeSync renameSync mkdirSync mkdtempSync rmSync unlinkSync linkSync copyFileSync writeFileSync appendFileSync";
real.fsyncSync = () => undefined;
for (const name of [...writing.split(" "), "readFileSync", "readSync", "readdirSync"])
  Reflect.set(fs, name, wrap(name));
const { promises } = fs;
for (const name of "writeFile appendFile rename mkdir rm unlink copyFile readFile".split(" "))
  Reflect.set(promises, name, wrapAsync(name, Reflect.get(promises, name).bind(promises)));
syncBuiltinESMExports();

const arm: Arm = (next) => {
  const counted = count;
  if (fault?.trace) real.writeFileSync(fault.trace, trace.join("\n"));
  fault = next;
  count = 0;
  met = false;
  trace = [];
  return counted;
};
(globalThis as { [armed]?: Arm })[armed] = arm;
if (process.env.REINS_FAULT) {
  arm(JSON.parse(process.env.REINS_FAULT) as Fault);
  process.on("exit", () => arm(undefined));
}
