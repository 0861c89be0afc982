import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
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
      const version = execFileSync(command, [...args, "--version"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"], timeout: 20_000 });
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
      if (/^(model|flags|features|cpu (implementer|architecture|variant|part|family))/i.test(line)) names.add(line.replace(/\s+/g, " "));
    }
  } catch {
    for (const { model } of cpus()) names.add(model);
  }
  return [...names].join("\n");
}

/**
 * Elementwise results must be those of IEEE arithmetic step by step, hence no contraction and none of -ffast-math (which gcc
 * also links start-up code for that flushes JavaScript's denormals). -fwrapv because integers wrap. Vectors are written
 * explicitly, so the vectoriser would only cost time.
 */
export const programFlags: readonly string[] = [
  "-O2", process.arch === "arm64" ? "-mcpu=native" : "-march=native",
  "-ffp-contract=off", "-fno-math-errno", "-fno-trapping-math", "-fno-strict-aliasing", "-fwrapv",
  "-fno-tree-vectorize", "-fno-asynchronous-unwind-tables", "-fvisibility=hidden", "-fPIC", "-shared", "-pipe", "-w",
  // koffi unloads libraries when its environment ends, while threads of ours may still wait in them.
  ...(process.platform === "linux" ? ["-Wl,-z,nodelete"] : []),
];

/**
 * The runtime library's: as above, but its products are meant to be contracted to FMA. On ARM gcc's first scheduling pass moves
 * the tiles' loads to where they arrive too late: without it 256³ runs at 37.1 instead of 33.2 GFLOP/s.
 */
export const runtimeFlags: readonly string[] = [
  ...programFlags.filter((f) => f !== "-ffp-contract=off"), "-ffp-contract=fast",
  ...(process.arch === "arm64" ? ["-fno-schedule-insns"] : []),
];

/** Compiles C text to the shared library `output`. The text goes through a pipe: nothing else is left on disk. */
export function compileLibrary(toolchain: Toolchain, flags: readonly string[], source: string, output: string): void {
  try {
    execFileSync(toolchain.command, [...toolchain.args, ...flags, "-x", "c", "-", "-o", output, "-lm", "-lpthread"], {
      input: source,
      stdio: ["pipe", "ignore", "pipe"],
      maxBuffer: 1 << 26,
    });
  } catch (error) {
    const { stderr, message } = error as { stderr?: Buffer; message: string };
    const text = stderr?.toString().trim() || message;
    throw new BuildError(`The C compiler ${toolchain.command} failed: ${text.split("\n").slice(0, 3).join(" ")}`, text);
  }
}
