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

Measures @reins/tensor beside PyTorch (native) and jax-js (WebAssembly), in turns.

  --only a,b        these benchmarks: ${names.slice(0, 5).join(", ")},
                    ${names.slice(5).join(", ")}
  --backend a,b     native, wasm (default: both), reference
  --threads 1,all   numbers of threads (default: 1,all)
  --quick           two short rounds: a rough picture
  --small           small forms of the benchmarks, to try the tool
  --profile         also print the plan of each compiled function
  --json            the last line is one JSON object
  --help            this text

REINS_PYTHON names a Python interpreter that has torch; python3 otherwise.`;

/** Reads the options after the suite's name; an unknown one is an error. */
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

/** Numbers of threads, without repetition; "all" is one for each core. */
export function readThreads(value: string): number[] {
  const counts = value.split(",").map((t) => (t === "all" ? availableParallelism() : Number(t)));
  if (counts.some((n) => !Number.isInteger(n) || n < 1))
    throw new Error(`--threads ${value}: give whole numbers from 1, or all.`);
  return [...new Set(counts)];
}
