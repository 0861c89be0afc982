import { availableParallelism } from "node:os";
import { chosen, readArguments } from "./arguments.ts";
import { benchmarks } from "./benchmarks.ts";
import { compileBenchmarks } from "./compile-benchmarks.ts";

export type BackendName = "native" | "wasm" | "reference";

export interface Options {
  readonly only: readonly string[];
  readonly backends: readonly BackendName[];
  readonly threads: readonly number[];
  readonly rounds: number;
  readonly seconds: number;
  readonly small: boolean;
  readonly json: boolean;
  readonly profile: boolean;
}

const names = [...benchmarks, ...compileBenchmarks].map((b) => b.name);

export const help = `npm run bench -- tensor [options]

Measures @reins/tensor against PyTorch (native) and jax-js (WebAssembly); the sides alternate.

  --only a,b        run only these benchmarks: ${names.slice(0, 5).join(", ")},
                    ${names.slice(5).join(", ")}
  --backend a,b     native, wasm (default: both), reference
  --threads 1,all   numbers of threads (default: 1,all)
  --quick           two short rounds, for a rough estimate
  --small           small benchmarks, to try the tool
  --profile         also print the plan of each compiled function
  --json            print one JSON object as the last line
  --help            print this help

REINS_PYTHON: Python interpreter with torch (default: python3).`;

/** Parses the options after the suite's name; unknown options are errors. */
export function readOptions(args: readonly string[]): Options {
  const given = readArguments(
    args,
    ["--only", "--backend", "--threads"],
    ["--quick", "--small", "--profile", "--json"],
  );
  const { flags } = given;
  const quick = flags.has("--quick");
  return {
    only: chosen(given, "--only", names),
    backends: chosen<BackendName>(given, "--backend", ["native", "wasm", "reference"], ["native", "wasm"]),
    threads: readThreads(given.values.get("--threads") ?? "1,all"),
    rounds: quick ? 2 : 6,
    seconds: quick ? 0.1 : 0.4,
    small: flags.has("--small"),
    json: flags.has("--json"),
    profile: flags.has("--profile"),
  };
}

/** Distinct numbers of threads; "all" is the number of cores. */
export function readThreads(value: string): number[] {
  const counts = value.split(",").map((t) => (t === "all" ? availableParallelism() : Number(t)));
  if (counts.some((n) => !Number.isInteger(n) || n < 1))
    throw new Error(`--threads ${value}: use whole numbers of at least 1, or all.`);
  return [...new Set(counts)];
}
