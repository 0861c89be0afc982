import { fail } from "@reins/core";
import { type ChildProcess, createRequire, dirname, join, pathToFileURL, spawn } from "#node";
import { failure, type Limits, type Outcome, type Sandbox } from "./sandbox.ts";

/** What a program in Python came to. */
export interface Printed {
  /** The value of its last expression as JSON says it; `null` if JSON cannot say it. */
  readonly value: unknown;
  /** What it printed. */
  readonly output: string;
}

export interface PythonLimits extends Limits {
  /** A folder whose `node_modules` has Pyodide. */
  readonly from: string;
}

const defaults: Limits = { milliseconds: 5000, megabytes: 256, characters: 20_000 };

/**
 * Python in Pyodide, which is not among the dependencies: it is 14 MB and takes seconds to start. Each run has a process of its own, without
 * files, environment, child processes, sockets or JavaScript; the next process starts while this one works.
 */
export function python(options: Partial<PythonLimits> = {}): Sandbox<string, Printed> {
  const { from = process.cwd(), ...limits } = { ...defaults, ...options };
  const file = find(from);
  let spare: Promise<ChildProcess> | undefined;
  return {
    id: "python",
    limits,
    async run(code) {
      if (code.length > limits.characters) return failure("refused", "The program is too long.");
      const child = await (spare ?? start(file, limits));
      spare = start(file, limits);
      return ask(child, code, limits);
    },
  };
}

function find(from: string): string {
  for (const place of [join(from, "x.js"), import.meta.url])
    try {
      return createRequire(place).resolve("pyodide");
    } catch {}
  return fail("sandbox python", "Pyodide is not installed. Run: npm install pyodide");
}

/** Runs in the new process: as text, since only there may it run. */
const program = (url: string, { megabytes, characters }: Limits) => `
import fs from "node:fs";
import net from "node:net";
import dgram from "node:dgram";
import { createInterface } from "node:readline";
// Pyodide asks for the flags of files this way, which the permission model forbids.
process.binding = () => ({ fs: fs.constants });
const { loadPyodide } = await import(${JSON.stringify(url)});
const grow = WebAssembly.Memory.prototype.grow;
WebAssembly.Memory.prototype.grow = function (pages) {
  if (this.buffer.byteLength + pages * 65536 > ${megabytes} * 2 ** 20) throw new RangeError("no more memory");
  return grow.call(this, pages);
};
let output = "";
const python = await loadPyodide({
  jsglobals: Object.create(null),
  env: { HOME: "/home/pyodide" },
  stdin: () => null,
  stdout: (line) => { if (output.length <= ${characters}) output += line + "\\n"; },
  stderr: () => {},
});
// The permission model does not know sockets.
const no = () => { throw new Error("there is no network here"); };
net.Socket.prototype.connect = net.Server.prototype.listen = dgram.Socket.prototype.bind = dgram.Socket.prototype.send = no;
for (const name of ["fetch", "WebSocket", "EventSource", "XMLHttpRequest"]) delete globalThis[name];
python.runPython("import sys, json\\nfor m in ('js', 'pyodide_js'): sys.modules[m] = None");
const dumps = python.runPython("lambda v, d=json.dumps: d(v)");
const say = (o) => fs.writeSync(1, JSON.stringify(o) + "\\n");
say({ ready: true });
createInterface({ input: process.stdin }).once("line", (line) => {
  let answer;
  try {
    const globals = python.toPy({});
    const value = python.runPython(JSON.parse(line), { globals });
    let text = "null";
    try { text = dumps(value); } catch {}
    answer = text.length + output.length > ${characters}
      ? { status: "memory", message: "The result has more than ${characters} characters." }
      : { status: "ok", value: { value: JSON.parse(text.replace(/\\b(NaN|-?Infinity)\\b/g, "null")), output } };
  } catch (error) {
    const message = String(error?.message ?? error).trim().split("\\n").pop();
    const full = /^(MemoryError|RecursionError)|call stack/.test(message);
    answer = { status: full ? "memory" : "error", message };
  }
  say(answer);
  process.exit(0);
});
process.stdin.once("close", () => process.exit(0));
`;

async function start(file: string, limits: Limits): Promise<ChildProcess> {
  const permission = process.allowedNodeEnvironmentFlags.has("--permission")
    ? "--permission"
    : "--experimental-permission";
  const url = pathToFileURL(file.replace(/pyodide\.js$/, "pyodide.mjs")).href;
  const args = [
    permission,
    `--allow-fs-read=${join(dirname(file), "*")}`,
    "--disallow-code-generation-from-strings",
    "--no-warnings",
    "--input-type=module",
    "--eval",
    program(url, limits),
  ];
  const child = spawn(process.execPath, args, {
    stdio: ["pipe", "pipe", "ignore"],
    env: {},
    cwd: dirname(file),
  });
  // A process that waits for work does not keep this one alive; it ends when its input does.
  for (const part of [child, child.stdin, child.stdout]) (part as { unref?(): void }).unref?.();
  child.stdin!.on("error", () => {});
  child.on("error", () => {});
  return child;
}

/** The next line a process says, or `undefined` when it ends without one or says nothing for so long. */
function line(child: ChildProcess, most: number, milliseconds: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    let text = "";
    const out = child.stdout!;
    const end = (answer: string | undefined) => {
      clearTimeout(clock);
      out.removeAllListeners();
      child.removeAllListeners("close");
      resolve(answer);
    };
    const clock = setTimeout(() => end(undefined), milliseconds);
    out.on("data", (bytes: Buffer) => {
      text += bytes.toString();
      if (text.length > most) end(undefined);
      else if (text.includes("\n")) end(text.slice(0, text.indexOf("\n")));
    });
    child.on("close", () => end(undefined));
    if (child.exitCode !== null) end(undefined);
  });
}

/** Pyodide starts in two seconds; on a machine with other work, later. */
const patience = 120_000;

async function ask(child: ChildProcess, code: string, limits: Limits): Promise<Outcome<Printed>> {
  for (const part of [child, child.stdin, child.stdout]) (part as { ref?(): void }).ref?.();
  // What a program may say is escaped for JSON, six characters for one at worst.
  const most = limits.characters * 6 + 10_000;
  try {
    if ((await line(child, most, patience)) === undefined) return failure("error", "Python did not start.");
    const answer = line(child, most, limits.milliseconds);
    child.stdin!.write(`${JSON.stringify(code)}\n`);
    const said = await answer;
    if (said === undefined && child.exitCode === null)
      return failure("timeout", `It took longer than ${limits.milliseconds} ms.`);
    const { status, value, message } = JSON.parse(said ?? "");
    return status === "ok" ? { status, value } : failure(status, message);
  } catch {
    return failure("memory", "Python ended without an answer.");
  } finally {
    child.kill("SIGKILL");
  }
}
