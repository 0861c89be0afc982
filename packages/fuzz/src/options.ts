import { availableParallelism } from "node:os";
import type { BackendName } from "./internals.ts";

export interface Options {
  readonly seed: number;
  readonly programs: number;
  /** Repeat this one only. */
  readonly program?: number;
  readonly jobs: number;
  readonly backends: readonly BackendName[];
  readonly torch: boolean;
  readonly guard: boolean;
  readonly json: boolean;
  readonly report?: string;
  /** Where each finding is written. */
  readonly findings?: string;
  /** Seconds to shrink one finding for. */
  readonly shrink: number;
}

export const help = `npm run fuzz -- [options]     random programs through the compiler; exit status 1 if something differs

  --seed S          where to begin; today's date by default (${today()})
  --programs N      how many (2000), in lots of 40
  --program K       only the lot with this number in it: repeats what was found
  --jobs J          processes at the same time (all cores)
  --backends a,b    of native, wasm, reference
  --torch           also against PyTorch; REINS_PYTHON names a Python that has it
  --guard           poison memory that nobody wrote and memory that was freed
  --shrink SECONDS  time for making one finding small (60; 0: not at all)
  --report FILE     which pairs of operations came up, how often, and which never did
  --findings DIR    write each finding as a test to a file there
  --json            one object on the last line`;

/** The date as a number: every day other programs. */
export function today(): number {
  return Number(new Date().toISOString().slice(0, 10).replaceAll("-", ""));
}

export function readOptions(list: readonly string[]): Options {
  const flags = new Set(["--torch", "--guard", "--json"]);
  const given = new Map<string, string>();
  for (let i = 0; i < list.length; i++) {
    const name = list[i];
    if (!help.includes(`  ${name} `)) throw new Error(`There is no option ${name}.\n\n${help}`);
    if (flags.has(name)) given.set(name, "");
    else if (list[i + 1] === undefined) throw new Error(`${name} needs a value.\n\n${help}`);
    else given.set(name, list[++i]);
  }
  const number = (name: string, otherwise: number) => {
    const n = Number(given.get(name) ?? otherwise);
    if (!Number.isInteger(n) || n < 0)
      throw new Error(`${name} is ${given.get(name)}; it must be a whole number from 0.`);
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
