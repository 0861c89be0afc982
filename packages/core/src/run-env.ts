import type { Env, Step } from "./env.ts";
import { fail } from "./errors.ts";
import { Run, type RunOptions } from "./run.ts";
import type { Snapshot } from "./snapshot.ts";
import { box } from "./space.ts";

/** What an outer agent sees and sets. */
export interface RunEnvOptions {
  /** Makes the run of an episode. */
  readonly run: (seed: number) => RunOptions;
  /** Settings that an action sets, with their bounds; actions are in [-1, 1], in logarithms where both bounds are above 0. */
  readonly settings: { readonly [name: string]: readonly [low: number, high: number] };
  /** Metrics that are observed, beside the progress. */
  readonly observe: readonly string[];
  /** Environment steps of the run in one step of the outer agent. */
  readonly stride: number;
  /** What is paid: the rise of this metric. */
  readonly reward?: string;
}

/** A run as an environment: each step sets settings and lets it learn for a while. Tuning is then a policy's work. */
export function asEnv(options: RunEnvOptions): Env<Float32Array, ArrayLike<number>> {
  const { observe, stride, reward = "return/mean" } = options;
  const names = Object.keys(options.settings);
  let run: Run | undefined;
  let seeds = 0;
  let last = 0;
  const number = (x: number | undefined) => (x === undefined || !Number.isFinite(x) ? 0 : x);
  const look = () => Float32Array.from([run!.progress, ...observe.map((n) => number(run!.metrics[n]))]);
  return {
    spec: {
      id: "Run-v0",
      observation: box([observe.length + 1]),
      action: box([names.length], -1, 1),
    },
    reset({ seed } = {}) {
      run?.process.close?.();
      if (seed !== undefined) seeds = seed;
      run = new Run(options.run(seeds++));
      last = 0;
      return { observation: look() };
    },
    step(action): Step<Float32Array> {
      if (!run) fail("Run-v0", "step() was called before reset().");
      names.forEach((name, i) => run!.set(name, within(options.settings[name], action[i])));
      run.advance(Math.min(run.options.steps, run.steps + stride));
      const now = number(run.metrics[reward]);
      const gained = now - last;
      last = now;
      return { observation: look(), reward: gained, terminated: run.finished, truncated: false };
    },
    save: (): Snapshot => ({ seeds, last, run: run ? run.save() : null }),
    restore(from) {
      const s = from as { seeds: number; last: number; run: Snapshot };
      seeds = s.seeds;
      last = s.last;
      run = s.run === null ? undefined : new Run(options.run(seeds - 1));
      if (run) run.restore(s.run);
    },
  };
}

/** Maps [-1, 1] onto an interval, in logarithms where it spans magnitudes. */
function within([low, high]: readonly [number, number], x: number): number {
  const share = (Math.max(-1, Math.min(1, x)) + 1) / 2;
  return low > 0 ? low * (high / low) ** share : low + (high - low) * share;
}
