import { availableParallelism } from "node:os";
import type { BackendName } from "./internals.ts";

export interface Options {
  readonly seed: number;
  readonly programs: number;
  /** Repeat only this program. */
  readonly program?: number;
  readonly jobs: number;
  readonly backends: readonly BackendName[];
  readonly torch: boolean;
  readonly guard: boolean;
  readonly json: boolean;
  readonly report?: string;
  /** Folder for findings. */
  readonly findings?: string;
  /** Seconds to shrink one finding. */
  readonly shrink: number;
}

export const help = `npm run fuzz -- [options]     random programs through the compiler; exit status 1 if something differs

  --seed S          seed of the programs (default: today's date, ${today()})
  --programs N      number of programs (2000), in lots of 40
  --program K       only the lot with this program: repeats a finding
  --jobs J          concurrent processes (all cores)
  --backends a,b    back ends: native, wasm, reference
  --torch           also compare with PyTorch; REINS_PYTHON is a Python with torch
  --guard           poison unwritten and freed memory
  --shrink SECONDS  time to shrink one finding (60; 0: do not shrink)
  --report FILE     page of covered and missing pairs of operations
  --findings DIR    write each finding as a test to a file there
  --json            print one JSON object on the last line`;

/** The date as a number, for other programs every day. */
export function today(): number {
  return Number(new Date().toISOString().slice(0, 10).replaceAll("-", ""));
}

export function readOptions(list: readonly string[]): Options {
  const flags = new Set(["--torch", "--guard", "--json"]);
  const given = new Map<string, string>();
  for (let i = 0; i < list.length; i++) {
    const name = list[i];
    if (!help.includes(`  ${name} `)) throw new Error(`Unknown option ${name}.\n\n${help}`);
    if (flags.has(name)) given.set(name, "");
    else if (list[i + 1] === undefined) throw new Error(`${name} needs a value.\n\n${help}`);
    else given.set(name, list[++i]);
  }
  const number = (name: string, otherwise: number) => {
    const n = Number(given.get(name) ?? otherwise);
    if (!Number.isInteger(n) || n < 0)
      throw new Error(`${name} is ${given.get(name)}; use a non-negative integer.`);
    return n;
  };
  const [program, report, findings] = ["--program", "--report", "--findings"].map((n) => given.get(n));
  return {
    seed: number("--seed", today()),
    programs: number("--programs", 2000),
    ...(program === undefined ? {} : { program: number("--program", 0) }),
    jobs: Math.max(1, number("--jobs", availableParallelism())),
    backends: (given.get("--backends") ?? "native,wasm,reference").split(",") as BackendName[],
    torch: given.has("--torch"),
    guard: given.has("--guard"),
    json: given.has("--json"),
    ...(report === undefined ? {} : { report }),
    ...(findings === undefined ? {} : { findings }),
    shrink: number("--shrink", 60),
  };
}
