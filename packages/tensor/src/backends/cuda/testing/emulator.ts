import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sha256 } from "../../native/cache.ts";
import { cacheDirectory } from "../../native/folder.ts";
import type { ImageCompiler } from "../cuda.ts";
import { type Driver, openDriver } from "../driver.ts";
import { emulatedDevice } from "./emulated-device.ts";
import { emulatedDriver } from "./emulated-driver.ts";

/** Exact arithmetic, as NVRTC's flags ask for. */
const flags = [
  "-std=c++14",
  "-O0",
  "-march=native",
  "-ffp-contract=off",
  "-fwrapv",
  "-fno-strict-aliasing",
  "-fPIC",
  "-shared",
  "-w",
  "-U_FORTIFY_SOURCE",
];

function build(text: string, output: string, libraries: readonly string[] = []): void {
  execFileSync("g++", [...flags, "-x", "c++", "-", "-o", output, ...libraries], {
    input: text,
    stdio: ["pipe", "inherit", "inherit"],
  });
}

/** Compiles CUDA text for the emulated device: a shared library, after its length. */
export const emulatedImages: ImageCompiler = {
  version: `emulated ${sha256(emulatedDevice + flags).slice(0, 16)}`,
  compile(text) {
    const folder = mkdtempSync(join(tmpdir(), "reins-emulator-"));
    try {
      const path = join(folder, "image.so");
      build([emulatedDevice, text, ...entries(text)].join("\n"), path);
      const library = readFileSync(path);
      const length = Buffer.alloc(8);
      length.writeBigUInt64LE(BigInt(library.length));
      return Buffer.concat([length, library]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

/** An entry for each kernel, which unpacks its arguments, and whether its threads wait for one another. */
function entries(text: string): string[] {
  const heads = [
    ...text.matchAll(/extern "C" __global__ void __launch_bounds__\([\d, ]+\) (\w+)\(const (\w+) a\)/g),
  ];
  return heads.map((head, i) => {
    const code = text.slice(head.index, heads[i + 1]?.index);
    const [, name, type] = head;
    const waits = /__sync|__shfl/.test(code) ? 1 : 0;
    return `extern "C" void call_${name}(const void *p) { ${name}(*(const ${type} *)p); }
extern "C" { extern const int waits_${name}, bytes_${name}; const int waits_${name} = ${waits}, bytes_${name} = sizeof(${type}); }`;
  });
}

/** The emulated driver's library. */
export function emulatedLibrary(): string {
  const path = join(cacheDirectory(), `emulated-${sha256(emulatedDriver + flags).slice(0, 24)}.so`);
  if (existsSync(path)) return path;
  const own = `${path}.${process.pid}`;
  build(emulatedDriver, own, ["-ldl"]);
  renameSync(own, path);
  return path;
}

let driver: Driver | undefined;

/** The driver of a GPU that the CPU emulates. Needs g++. */
export function emulatedGpu(): Driver {
  driver ??= openDriver(0, emulatedLibrary());
  return driver;
}

/** Why the emulated GPU does not run here, or undefined. */
export function emulatorMissing(): string | undefined {
  try {
    execFileSync("g++", ["--version"], { stdio: "ignore" });
    return undefined;
  } catch {
    return "the emulated GPU needs g++";
  }
}
