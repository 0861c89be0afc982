import { real } from "@reins/tensor";
import type { Env, Step } from "./env.ts";
import { fail } from "./errors.ts";
import { Run } from "./run.ts";
import type { RunOptions } from "./run-options.ts";
import type { Snapshot } from "./snapshot.ts";
import { box } from "./space.ts";
import { defaultSeed, stream } from "./stream.ts";

/**
 * Options of a run as an environment.
 *
 * @experimental
 */
export interface RunEnvOptions {
  /** Makes the run of an episode. */
  readonly run: (seed: number) => RunOptions;
  /** Settings that an action sets, with their bounds; actions are in [-1, 1], on a logarithmic scale if both bounds are above 0. */
  readonly settings: { readonly [name: string]: readonly [low: number, high: number] };
  /** The observation: progress and these metrics, or a function of the run that returns `size` numbers. */
  readonly observe: readonly string[] | { readonly size: number; look(run: Run): ArrayLike<number> };
  /** Environment steps of the run per step of the outer agent. */
  readonly stride: number;
  /** The metric whose increase is the reward. */
  readonly reward?: string;
  /** Snapshot of a run of the same kind from which every episode continues. */
  readonly from?: Snapshot;
}

/**
 * Result of {@link asEnv}.
 *
 * @experimental
 */
export interface RunEnv extends Env<Float32Array, ArrayLike<number>> {
  /** The run of this episode; undefined before the first reset. */
  readonly run: Run | undefined;
}

/**
 * A run as an environment: each step changes settings and trains for a while, so that a policy can tune them.
 *
 * @experimental
 */
export function asEnv(options: RunEnvOptions): RunEnv {
  const { observe, stride, reward = "return/mean", from: beginning } = options;
  const names = Object.keys(options.settings);
  let run: Run | undefined;
  /** The seed of the last seeded reset, and the number of runs since. */
  let root = defaultSeed;
  let begun = 0;
  const begin = () => new Run(options.run(stream(root, "episode", begun)));
  let last = 0;
  const number = (x: number | undefined) => (x === undefined || !Number.isFinite(x) ? 0 : x);
  const observation =
    "look" in observe
      ? observe
      : {
          size: observe.length + 1,
          look: ({ progress, metrics }: Run) => [progress, ...observe.map((n) => number(metrics[n]))],
        };
  const look = () => Float32Array.from(observation.look(run!));
  return {
    get run() {
      return run;
    },
    spec: {
      id: "Run-v0",
      observation: box([observation.size]),
      action: box([names.length], -1, 1),
    },
    reset({ seed } = {}) {
      if (seed !== undefined) [root, begun] = [seed, 0];
      if (!run || beginning === undefined) {
        run?.process.close?.();
        run = begin();
        begun++;
      }
      if (beginning !== undefined) run.restore(beginning);
      last = number(run.metrics[reward]);
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
    save: (): Snapshot => ({ root, begun, last, run: run ? run.save() : null }),
    restore(from) {
      const s = from as { root: number; begun: number; last: number; run: Snapshot };
      [root, begun, last] = [s.root, s.begun - 1, s.last];
      run = s.run === null ? undefined : begin();
      begun = s.begun;
      if (run) run.restore(s.run);
    },
  };
}

/** Maps [-1, 1] onto an interval, logarithmically if it spans magnitudes. */
function within([low, high]: readonly [number, number], x: number): number {
  const share = (Math.max(-1, Math.min(1, x)) + 1) / 2;
  return low > 0 ? low * real.pow(high / low, share) : low + (high - low) * share;
}
