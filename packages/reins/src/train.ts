import type { Algorithm, Plan, RunOptions } from "@reins/core";
import type { EnvOptions } from "./places/source.ts";
import { sourceOfAny, type Trainable } from "./places/trainable.ts";
import { assemble } from "./training/assembly.ts";
import { type CarryOnOptions, carryOn } from "./training/carry-on.ts";
import type { Trained } from "./training/result.ts";

/** What to train, on what, and for how long. */
export interface TrainOptions extends CarryOnOptions {
  /** A name (`"ppo"`, with the settings that were found for the environment) or an algorithm with your own (`ppo({ clip: 0.1 })`). */
  readonly algorithm: string | Algorithm;
  readonly env: Trainable;
  readonly envOptions?: EnvOptions;
  /** Wrappers around the environment by name, the innermost first (`["normaliseObservation"]`); by default those that were found. */
  readonly wrappers?: readonly string[];
  /** Environment steps to take; by default what was found to suffice, or 100 000. */
  readonly steps?: number;
  /** The same seed gives the same run; 0 by default. */
  readonly seed?: number;
  /** Where to keep the run: configuration, metrics, checkpoints. By default it is in memory only. */
  readonly directory?: string | false;
  readonly plan?: Plan;
  readonly task?: RunOptions["task"];
  readonly data?: unknown;
}

/**
 * Trains an agent.
 *
 *     const agent = await train({ algorithm: "ppo", env: "CartPole-v1", seed: 1 });
 *     console.log(agent.return.mean, agent.act([0, 0, 0, 0]));
 */
export async function train(options: TrainOptions): Promise<Trained> {
  const began = performance.now();
  const place = await sourceOfAny(options.env, options.envOptions);
  const assembly = assemble({ ...options, place });
  const run = assembly.begin();
  const { directory: path } = options;
  const keeper = path ? (await import("#node")).keep(run, assembly, { path }) : undefined;
  return carryOn(run, keeper, options, began);
}
