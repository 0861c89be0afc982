import { fail } from "@reins/core";
import {
  type ChildProcess,
  createRequire,
  cwd,
  dirname,
  join,
  pathToFileURL,
  readFileSync,
  spawn,
} from "#node";
import { withFuel } from "./fuel.ts";
import { pythonProcess } from "./python-process.ts";
import { failure, type Sandbox, type SandboxLimits, type SandboxOutcome } from "./sandbox.ts";

/** The result of a Python program. */
export interface PythonResult {
  /** The value of its last expression as JSON; `null` if JSON cannot represent it. */
  readonly value: unknown;
  /** Its printed output. */
  readonly output: string;
}

/** Limits of a Python program, and the location of its interpreter. */
export interface PythonLimits extends SandboxLimits {
  /** A folder whose `node_modules` has Pyodide. */
  readonly from: string;
  /**
   * Calls and loop iterations in the interpreter, some hundred million per second: the deciding limit, the same on
   * every machine.
   */
  readonly steps: number;
  /** Concurrent programs. As many processes are kept ready for the next programs, 200 MB each. */
  readonly processes: number;
}

// Steps limit programs; the clock is a last resort.
const defaults = {
  milliseconds: 60_000,
  megabytes: 256,
  characters: 20_000,
  steps: 500_000_000,
  processes: 2,
};

/**
 * Python in Pyodide, which is not a dependency: it has 14 MB and takes seconds to start. It starts once; later
 * processes begin with an image of the first one's memory. Each run has its own process, without files, environment,
 * child processes, sockets or JavaScript, and with a deterministic clock and random numbers, so that no program can
 * affect the next one. Processes are started ahead of time.
 */
export function python(options: Partial<PythonLimits> = {}): Sandbox<string, PythonResult> {
  const { from = cwd(), ...limits } = { ...defaults, ...options };
  const file = find(from);
  const [spare, waiting] = [[] as ChildProcess[], [] as (() => void)[]];
  let running = 0;
  return {
    id: "python",
    limits,
    async run(code) {
      if (code.length > limits.characters) return failure("refused", "The program is too long.");
      if (running >= limits.processes) await new Promise<void>((next) => waiting.push(next));
      else running++;
      try {
        const image = await imageOf(file, limits);
        if (!image) return failure("error", "Python did not start.");
        let child = spare.shift();
        // A waiting process may have been killed by the system.
        while (child && (child.exitCode !== null || child.signalCode !== null)) child = spare.shift();
        child ??= start(file, limits, image);
        // The next process starts while this one works.
        if (spare.length < limits.processes) spare.push(start(file, limits, image));
        return await ask(child, code, limits);
      } finally {
        // Last in, first out, as in `threads`.
        const next = waiting.pop();
        if (next) next();
        else running--;
      }
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

/** The memory of a freshly started Python: made once per process, in seconds. */
const images = new Map<string, Promise<Buffer | undefined>>();
function imageOf(file: string, limits: Started): Promise<Buffer | undefined> {
  let image = images.get(file);
  if (!image) {
    images.set(file, (image = made(start(file, limits))));
    // Another attempt may have more memory or time.
    void image.then((bytes) => bytes ?? images.delete(file));
  }
  return image;
}

function made(child: ChildProcess): Promise<Buffer | undefined> {
  attach(child);
  const parts: Buffer[] = [];
  child.stdout!.on("data", (bytes: Buffer) => parts.push(bytes));
  const clock = setTimeout(() => child.kill("SIGKILL"), patience);
  return new Promise((resolve) =>
    child.on("close", (code) => {
      clearTimeout(clock);
      resolve(code === 0 ? Buffer.concat(parts) : undefined);
    }),
  );
}

type Started = Pick<PythonLimits, "megabytes" | "characters" | "steps">;

/** Instrumented WebAssembly of Pyodide, preceded by its length. */
const fuelled = new Map<string, Buffer>();
function moduleOf(file: string): Buffer {
  let bytes = fuelled.get(file);
  if (!bytes) {
    const module = withFuel(readFileSync(file));
    bytes = Buffer.alloc(4 + module.length);
    bytes.writeUInt32LE(module.length);
    bytes.set(module, 4);
    fuelled.set(file, bytes);
  }
  return bytes;
}

/** Starts a process: with an image, one that waits for a program; without, one that makes an image. */
function start(file: string, limits: Started, image?: Buffer): ChildProcess {
  const permission = process.allowedNodeEnvironmentFlags.has("--permission")
    ? "--permission"
    : "--experimental-permission";
  const folder = dirname(file);
  const url = pathToFileURL(join(folder, "pyodide.mjs")).href;
  const args = [
    permission,
    `--allow-fs-read=${join(folder, "*")}`,
    "--disallow-code-generation-from-strings",
    "--no-warnings",
    // Memory of JavaScript objects is bounded too: the process exits, which is an outcome as well.
    `--max-old-space-size=${limits.megabytes}`,
    "--input-type=module",
    "--eval",
    pythonProcess({ ...limits, url }),
  ];
  const child = spawn(process.execPath, args, {
    stdio: ["pipe", "pipe", "ignore", "pipe"],
    env: { TZ: "UTC" },
    cwd: folder,
  });
  child.on("error", () => {});
  const [input, , , more] = child.stdio as NodeJS.WritableStream[];
  for (const stream of [input, more]) stream.on("error", () => {});
  more.write(moduleOf(join(folder, "pyodide.asm.wasm")));
  more.end(image ?? "");
  // A waiting process does not keep this one alive; it exits when its input closes.
  attach(child, "unref");
  return child;
}

/** Whether a process and its streams keep this one alive. */
function attach(child: ChildProcess, how: "ref" | "unref" = "ref"): void {
  for (const part of [child, ...child.stdio]) (part as { ref?(): void; unref?(): void } | null)?.[how]?.();
}

/** The next output line of a process, or `undefined` if it exits or the time is over. */
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

/** Pyodide starts in seconds; on a busy machine, later. */
const patience = 120_000;

async function ask(
  child: ChildProcess,
  code: string,
  limits: SandboxLimits,
): Promise<SandboxOutcome<PythonResult>> {
  attach(child);
  // Output is escaped for JSON, up to six characters for one.
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
