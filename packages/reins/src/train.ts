import { tunedFor } from "@reins/algorithms";
import { type Algorithm, defaultSeed, fail, type Plan, Run, type RunOptions } from "@reins/core";
import { algorithmFor, defaultSteps } from "./algorithm.ts";
import { type CarryOnOptions, carryOn } from "./carry-on.ts";
import type { Keeper } from "./keeper.ts";
import { type EnvOptions, type Source, wrapped } from "./source.ts";
import { sourceOfAny, type Trainable } from "./source-of-any.ts";
import type { Trained } from "./trained.ts";

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
  const { seed = defaultSeed, plan, task, data, directory, algorithm: wanted } = options;
  const plain = await sourceOfAny(options.env, options.envOptions);
  const named = typeof wanted === "string";
  const tuned = named ? (tunedFor(wanted, plain.spec.id) ?? plain.tuned?.(wanted)) : undefined;
  const env = wrapped(plain, options.wrappers ?? tuned?.wrappers ?? []);
  const algorithm = named ? algorithmFor(wanted, env.spec.id, {}, tuned) : wanted;
  const steps = options.steps ?? tuned?.steps ?? defaultSteps;
  if (options.saveModel !== undefined) {
    if (!env.saveModel)
      fail(
        "saveModel",
        `${env.spec.id} is no task in words by its name: there is no language model to write.`,
      );
    env.checkFolder?.(options.saveModel);
  }
  const run = new Run({
    algorithm: env.prepare?.(algorithm) ?? algorithm,
    env,
    steps,
    seed,
    plan,
    task,
    data,
  });
  const keeper = directory ? await keep(directory, run, env, algorithm, options) : undefined;
  return carryOn(run, keeper, options, began);
}

async function keep(
  path: string,
  run: Run,
  env: Source,
  algorithm: Algorithm,
  { checkpointEvery, evalEpisodes, solved, saveModel }: TrainOptions,
): Promise<Keeper> {
  const { Keeper, noteTarget, RunDirectory, resolve } = await import("#node");
  const { steps, seed } = run.options;
  const config = {
    algorithm: algorithm.name,
    options: algorithm.options,
    env: env.spec.id,
    envOptions: env.options,
    steps,
    seed,
    checkpointEvery,
    evalEpisodes,
    solved,
    ...env.more,
    ...(saveModel === undefined ? {} : { saveModel: resolve(saveModel) }),
  };
  const claimed = (path: string) => saveModel !== undefined && noteTarget(path, saveModel);
  const directory = RunDirectory.create(path, config, { claimed });
  return new Keeper(run, env, directory);
}
