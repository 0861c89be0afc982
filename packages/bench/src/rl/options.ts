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

Measures reinforcement learning on one thread beside CleanRL's algorithms in PyTorch, Stable-Baselines3, PufferLib and
Gymnasium, in turns. Steps per second count rollout and learning together.

${rlBenchmarks
  .filter((b) => !b.name.startsWith("env-") || b.name === "env-CartPole-v1")
  .map((b) => `  ${b.name.padEnd(20)} ${b.about}`)
  .join("\n")}
  env-<id>             the same for every other environment

  --only a,b        these benchmarks; "env" stands for all environments
  --backend a,b     native, wasm (default: both)
  --quick           two short rounds: a rough picture
  --json            the last line is one JSON object
  --help            this text

REINS_PYTHON names a Python interpreter that has the peers (see packages/bench/peers/README.md); python3 otherwise.`;

/** Reads the options after the suite's name; an unknown one is an error. */
export function readRlOptions(args: readonly string[]): RlOptions {
  const values = new Map<string, string>();
  const flags = new Set<string>();
  for (let i = 0; i < args.length; i++) {
    const [flag, inline] = args[i].split("=", 2);
    if (["--only", "--backend"].includes(flag)) {
      const value = inline ?? args[++i];
      if (!value) throw new Error(`${flag} needs a value. See --help.`);
      values.set(flag, value);
    } else if (["--quick", "--json"].includes(flag)) flags.add(flag);
    else throw new Error(`Unknown option ${args[i]}. See --help.`);
  }
  const only = (values.get("--only")?.split(",") ?? names).flatMap((n) =>
    n === "env" ? names.filter((m) => m.startsWith("env-")) : [n],
  );
  const wrong = only.find((n) => !names.includes(n));
  if (wrong !== undefined) throw new Error(`--only ${wrong} does not exist. There are ${names.join(", ")}.`);
  const backends = (values.get("--backend")?.split(",") ?? ["native", "wasm"]) as ("native" | "wasm")[];
  const odd = backends.find((b) => b !== "native" && b !== "wasm");
  if (odd !== undefined) throw new Error(`--backend ${odd} does not exist. There are native, wasm.`);
  const quick = flags.has("--quick");
  return { only, backends, rounds: quick ? 2 : 5, seconds: quick ? 1 : 2, json: flags.has("--json") };
}
