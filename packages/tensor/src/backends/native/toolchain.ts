import { readFileSync } from "node:fs";
import { cpus } from "node:os";
import { BuildError } from "./start.ts";
import { compilerVersion } from "./version.ts";

/** A C compiler of this machine, and everything that its output depends on. */
export interface Toolchain {
  readonly command: string;
  readonly args: readonly string[];
  /** Its version text. */
  readonly version: string;
  /** The target processor: a home directory may be shared by several machines. */
  readonly processor: string;
}

let found: { readonly requested: string | undefined; readonly toolchain: Toolchain } | undefined;

/** The compiler in the environment variable CC, or the first of cc, gcc and clang that runs. */
export function findToolchain(): Toolchain {
  const requested = process.env.CC;
  if (found && found.requested === requested) return found.toolchain;
  const candidates = requested?.trim() ? [requested.trim()] : ["cc", "gcc", "clang"];
  for (const candidate of candidates) {
    const [command, ...args] = candidate.split(/\s+/);
    try {
      const version = compilerVersion(command, args);
      const toolchain = { command, args, version, processor: processor() };
      found = { requested, toolchain };
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
 * Elementwise results must follow IEEE arithmetic step by step, hence no contraction and no -ffast-math (which in gcc also links
 * start-up code that flushes JavaScript's denormals). Vectors are written explicitly, so the vectoriser would only cost time;
 * and -O1 makes kernels as fast as -O2 in two thirds of the time.
 */
export const programFlags: readonly string[] = [
  "-O1",
  // Interleaved copies of a loop's body should be scheduled together: a tanh takes 26 instead of 30 µs on a Neoverse N1.
  ...(process.arch === "arm64" ? ["-fschedule-insns"] : []),
  process.arch === "arm64" ? "-mcpu=native" : "-march=native",
  "-ffp-contract=off",
  "-fno-math-errno",
  "-fno-trapping-math",
  "-fno-strict-aliasing",
  // gcc 12 turns the address of a load into a sum that begins with 0, treats that as a null pointer, whose access is undefined,
  // and removes calls of the kernel.
  "-fno-delete-null-pointer-checks",
  "-fno-tree-vectorize",
  "-fno-asynchronous-unwind-tables",
  "-fvisibility=hidden",
  "-fPIC",
  "-shared",
  "-pipe",
  "-w",
  "-fno-tree-bit-ccp",
  "-fno-tree-dominator-opts",
  // koffi unloads libraries when its environment ends, while our threads may still wait in them.
  ...(process.platform === "linux" ? ["-Wl,-z,nodelete"] : []),
];

/**
 * Flags of the runtime library: as above, with contraction allowed if no FMA can be written explicitly. On ARM gcc's first scheduling
 * pass moves the tiles' loads too late: without it 256³ runs at 37.1 instead of 33.2 GFLOP/s. With the second pass -O1 is as
 * fast there as -O2, and compiles in three quarters of the time.
 */
export const runtimeFlags: readonly string[] = [
  ...programFlags.filter((f) => f !== "-ffp-contract=off"),
  "-ffp-contract=fast",
  ...(process.arch === "arm64"
    ? ["-fno-schedule-insns", "-fschedule-insns2", "-fexpensive-optimizations"]
    : ["-O2"]),
];
