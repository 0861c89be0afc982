import { type Algorithm, type Estimate, Run } from "@reins/core";
import { estimate } from "@reins/core/evaluations";
import { make } from "@reins/envs";
import { type Comparison, comparisons } from "./comparisons.ts";

/** Seeds for choosing the constant, and held-out seeds for the comparison. */
const tuning = [0, 1, 2, 3, 4];
const evaluation = Array.from({ length: 10 }, (_, i) => 100 + i);

export const signalsHelp = `npm run bench -- signals [--only controller,…] [--json]

Compares each controller with the best constant for the same setting: the constant is chosen on seeds 0 to 4, both are run on seeds
100 to 109, and the mean returns over the whole run are compared. The interval is of the paired difference.`;

interface Outcome {
  readonly comparison: Comparison;
  readonly best: number;
  readonly adaptive: Estimate;
  readonly constant: Estimate;
  readonly difference: Estimate;
}

/** Runs the comparisons and prints a Markdown table. */
export function signalsSuite(args: readonly string[]): void {
  const only = args.includes("--only") ? args[args.indexOf("--only") + 1].split(",") : undefined;
  const say = (text: string) => process.stdout.write(`${text}\n`);
  say(
    "| controller | setting of method, following | environment, steps | controller | best constant | difference (95%) |",
  );
  say("| --- | --- | --- | --- | --- | --- |");
  const outcomes = comparisons
    .filter((c) => !only || only.includes(c.controller))
    .map((c) => {
      const outcome = compare(c);
      say(describe(outcome));
      return outcome;
    });
  if (args.includes("--json")) say(JSON.stringify({ suite: "signals", outcomes }));
}

function compare(comparison: Comparison): Outcome {
  const over = (seeds: readonly number[], algorithm: () => Algorithm) =>
    seeds.map((seed) => meanReturn(algorithm(), comparison, seed));
  const scores = comparison.constants.map((value) => {
    const all = over(tuning, () => comparison.constant(value));
    return { value, mean: estimate(all).mean };
  });
  const best = scores.reduce((a, b) => (b.mean > a.mean ? b : a)).value;
  const adaptive = over(evaluation, comparison.adaptive);
  const constant = over(evaluation, () => comparison.constant(best));
  const difference = estimate(adaptive.map((a, i) => a - constant[i]));
  return { comparison, best, adaptive: estimate(adaptive), constant: estimate(constant), difference };
}

/** The mean over the run of the return of the last 100 episodes, which rewards fast learning and a good final policy. */
function meanReturn(algorithm: Algorithm, { env, steps }: Comparison, seed: number): number {
  const source = { spec: make(env, { rows: 1 }).spec, make: (rows: number) => make(env, { rows }) };
  const run = new Run({ algorithm, env: source, steps, seed });
  run.advance();
  const { mean } = run.statistics.get("return/mean")!;
  run.process.close?.();
  return mean;
}

function describe({ comparison: c, best, adaptive, constant, difference }: Outcome): string {
  const spread = (e: Estimate) => `${e.mean.toFixed(1)} (sd ${e.std.toFixed(1)})`;
  const [low, high] = difference.interval;
  const sign = (x: number) => `${x >= 0 ? "+" : "−"}${Math.abs(x).toFixed(1)}`;
  return `| \`${c.controller}\` | \`${c.setting}\` of ${c.method}, \`${c.follows}\` | ${c.env}, ${c.steps / 1000}k | ${spread(adaptive)} | ${spread(constant)} (at ${best}) | ${sign(difference.mean)} (${sign(low)} to ${sign(high)}) |`;
}
