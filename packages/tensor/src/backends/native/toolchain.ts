import { execFileSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { cpus } from "node:os";

/** A C compiler of this machine and everything that its output depends on. */
export interface Toolchain {
  readonly command: string;
  readonly args: readonly string[];
  /** What it prints about itself. */
  readonly version: string;
  /** The processor that it compiles for: a home directory may be shared by several. */
  readonly processor: string;
}

/** A library could not be built; `output` is what the compiler said. The caller may fall back to WebAssembly. */
export class BuildError extends Error {
  readonly output: string;
  constructor(message: string, output = "") {
    super(message);
    this.name = "BuildError";
    this.output = output;
  }
}

let found: { readonly wish: string | undefined; readonly toolchain: Toolchain } | undefined;

/** The compiler named by the environment variable CC, else the first of cc, gcc and clang that runs. */
export function findToolchain(): Toolchain {
  const wish = process.env.CC;
  if (found && found.wish === wish) return found.toolchain;
  const candidates = wish?.trim() ? [wish.trim()] : ["cc", "gcc", "clang"];
  for (const candidate of candidates) {
    const [command, ...args] = candidate.split(/\s+/);
    try {
      const version = execFileSync(command, [...args, "--version"], {
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"],
        timeout: 20_000,
      });
      const toolchain = { command, args, version, processor: processor() };
      found = { wish, toolchain };
      return toolchain;
    } catch {
      // Try the next one.
    }
  }
  throw new BuildError(
    `No C compiler was found (tried ${candidates.join(", ")}). Install gcc or clang, or set the environment variable CC to one.`,
  );
}

/** Model and features, as the system names them. */
function processor(): string {
  const names = new Set<string>([process.platform, process.arch]);
  try {
    for (const line of readFileSync("/proc/cpuinfo", "utf8").split("\n")) {
      if (/^(model|flags|features|cpu (implementer|architecture|variant|part|family))/i.test(line))
        names.add(line.replace(/\s+/g, " "));
    }
  } catch {
    for (const { model } of cpus()) names.add(model);
  }
  return [...names].join("\n");
}

/**
 * Elementwise results must be those of IEEE arithmetic step by step, hence no contraction and none of -ffast-math (which gcc
 * also links start-up code for that flushes JavaScript's denormals). Vectors are written
 * explicitly, so the vectoriser would only cost time; and -O1 makes kernels as fast as -O2 in two thirds of the time.
 */
export const programFlags: readonly string[] = [
  "-O1",
  // Interleaved copies of a loop's body are worth scheduling together: a tanh takes 26 instead of 30 µs on a Neoverse N1.
  ...(process.arch === "arm64" ? ["-fschedule-insns"] : []),
  process.arch === "arm64" ? "-mcpu=native" : "-march=native",
  "-ffp-contract=off",
  "-fno-math-errno",
  "-fno-trapping-math",
  "-fno-strict-aliasing",
  "-fno-tree-vectorize",
  "-fno-asynchronous-unwind-tables",
  "-fvisibility=hidden",
  "-fPIC",
  "-shared",
  "-pipe",
  "-w",
  "-fno-tree-bit-ccp",
  "-fno-tree-dominator-opts",
  // koffi unloads libraries when its environment ends, while threads of ours may still wait in them.
  ...(process.platform === "linux" ? ["-Wl,-z,nodelete"] : []),
];

/**
 * The runtime library's: as above, but its products are meant to be contracted to FMA. On ARM gcc's first scheduling pass moves
 * the tiles' loads to where they arrive too late: without it 256³ runs at 37.1 instead of 33.2 GFLOP/s. With the second one -O1 is as
 * fast there as -O2, and compiles in three quarters of the time; contraction is one of its "expensive" optimisations.
 */
export const runtimeFlags: readonly string[] = [
  ...programFlags.filter((f) => f !== "-ffp-contract=off"),
  "-ffp-contract=fast",
  ...(process.arch === "arm64"
    ? ["-fno-schedule-insns", "-fschedule-insns2", "-fexpensive-optimizations"]
    : ["-O2"]),
];

/** What only gcc knows: two passes that take a tenth of its time and find nothing here, and the scheduling above. */
const gccOnly = new Set([
  "-fschedule-insns",
  "-fno-tree-bit-ccp",
  "-fno-tree-dominator-opts",
  "-fno-schedule-insns",
  "-fschedule-insns2",
  "-fexpensive-optimizations",
]);

/** Compiles C texts to the shared library `output`. Several are compiled at the same time. */
export function compileLibrary(
  toolchain: Toolchain,
  wishes: readonly string[],
  sources: readonly string[],
  output: string,
): void {
  const { command, args, version } = toolchain;
  const flags = /clang/i.test(version) ? wishes.filter((f) => !gccOnly.has(f)) : wishes;
  const link = ["-o", output, "-lm", "-lpthread"];
  if (sources.length === 1) {
    start(command, [...args, ...flags, "-x", "c", "-", ...link], sources[0]);
    return;
  }
  const objects = sources.map((_, i) => `${output}.${i}.o`);
  const compile = flags.filter((f) => f !== "-shared" && !f.startsWith("-Wl,"));
  const jobs = sources.map((input, i) => ({
    command,
    args: [...args, ...compile, "-x", "c", "-", "-c", "-o", objects[i]],
    input,
  }));
  try {
    start(process.execPath, ["-e", parallel], JSON.stringify(jobs), {
      ...process.env,
      ELECTRON_RUN_AS_NODE: "1",
    });
    start(command, [...args, ...flags, ...objects, ...link], "");
  } finally {
    for (const object of objects) rmSync(object, { force: true });
  }
}

/** Runs in a second Node: compiling is synchronous for the caller, so it cannot wait for several compilers itself. */
const parallel = `
const { spawn } = require("node:child_process");
for (const { command, args, input } of JSON.parse(require("node:fs").readFileSync(0, "utf8"))) {
  const job = spawn(command, args, { stdio: ["pipe", "ignore", "inherit"] });
  job.stdin.on("error", () => {});
  job.stdin.end(input);
  job.on("error", (error) => { console.error(error.message); process.exitCode = 1; });
  job.on("close", (code) => { if (code !== 0) process.exitCode = 1; });
}`;

/** Texts go through a pipe: nothing but the output is left on disk. */
function start(command: string, args: readonly string[], input: string, env = process.env): void {
  try {
    execFileSync(command, args, { input, env, stdio: ["pipe", "ignore", "pipe"], maxBuffer: 1 << 26 });
  } catch (error) {
    const { stderr, message } = error as { stderr?: Buffer; message: string };
    const text = stderr?.toString().trim() || message;
    throw new BuildError(`The C compiler ${command} failed: ${text.split("\n").slice(0, 3).join(" ")}`, text);
  }
}
