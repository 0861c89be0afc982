import { chosen, readArguments } from "../arguments.ts";
import { rlBenchmarks } from "./benchmarks.ts";

/** Options of the suite. */
export interface RlOptions {
  readonly only: readonly string[];
  readonly backends: readonly ("native" | "wasm")[];
  readonly rounds: number;
  readonly seconds: number;
  readonly json: boolean;
}

const names = rlBenchmarks.map((b) => b.name);

export const rlHelp = `npm run bench -- rl [options]

Measures reinforcement learning on one thread against CleanRL's algorithms in PyTorch, Stable-Baselines3, PufferLib and
Gymnasium; the sides alternate. Steps per second include rollout and learning.

${rlBenchmarks
  .filter((b) => !b.name.startsWith("env-") || b.name === "env-CartPole-v1")
  .map((b) => `  ${b.name.padEnd(20)} ${b.about}`)
  .join("\n")}
  env-<id>             the same for every other environment

  --only a,b        run only these benchmarks; "env" selects all environments
  --backend a,b     native, wasm (default: both)
  --quick           two short rounds, for a rough estimate
  --json            print one JSON object as the last line
  --help            print this help

REINS_PYTHON: Python interpreter with the peers (default: python3). See packages/bench/peers/README.md.`;

/** Parses the options after the suite's name; unknown options are errors. */
export function readRlOptions(args: readonly string[]): RlOptions {
  const given = readArguments(args, ["--only", "--backend"], ["--quick", "--json"]);
  const only = chosen(given, "--only", [...names, "env"], names).flatMap((n) =>
    n === "env" ? names.filter((m) => m.startsWith("env-")) : [n],
  );
  const quick = given.flags.has("--quick");
  return {
    only,
    backends: chosen(given, "--backend", ["native", "wasm"]),
    rounds: quick ? 2 : 5,
    seconds: quick ? 1 : 2,
    json: given.flags.has("--json"),
  };
}
