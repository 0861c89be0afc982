import type { AlgorithmName } from "@reins/algorithms";
import {
  type Algorithm,
  checkKeys,
  checkWithin,
  fail,
  type Plan,
  type Run,
  type RunOptions,
  said,
} from "@reins/core";
import type { AgentSource } from "./agents/bytes.ts";
import { algorithmOf } from "./places/algorithm-named.ts";
import type { EnvOptions } from "./places/source.ts";
import type { JudgeLike } from "./places/text/judge-like.ts";
import { sourceOfAny, type Trainable } from "./places/trainable.ts";
import type { WrapperName } from "./places/wrappers.ts";
import { type Assembly, assemble } from "./training/assembly.ts";
import { Listeners } from "./training/callbacks.ts";
import { type CarryOnOptions, carryOn, carryOnNames, checkCarryOn } from "./training/carry-on.ts";
import { goFrom } from "./training/from-agent.ts";
import { refuseMisplaced } from "./training/misplaced.ts";
import { observed } from "./training/observed.ts";
import type { Trained } from "./training/result.ts";
import { carryOnSeeds, seedsOf, type TrainedSeeds } from "./training/seeds.ts";
import type { NamedSettings } from "./training/settings.ts";
import { settingsWords } from "./training/settings-words.ts";

/** How an agent is trained, whatever it begins with. */
export interface TrainingOptions extends CarryOnOptions {
  readonly envOptions?: EnvOptions;
  /**
   * Settings of an algorithm that is named, by their names (`{ learningRate: 1e-3 }`): over those that were found for the environment, or
   * over those that the agent was trained with, which keep the rest. `reins algorithms ppo` lists them.
   */
  readonly settings?: NamedSettings;
  /** What an answer in words is worth: `"exact"`, `"number"`, a file of yours, or a function of the answer and the problem. */
  readonly judge?: JudgeLike;
  /** Wrappers around the environment by name, the innermost first (`["normaliseObservation"]`); by default those that were found. */
  readonly wrappers?: readonly (WrapperName | (string & {}))[];
  /** Environment steps to take; by default what was found to suffice, or 100 000. */
  readonly steps?: number;
  /** The same seed gives the same run; 0 by default. */
  readonly seed?: number;
  readonly seeds?: undefined;
  /** Where to keep the run: configuration, metrics, checkpoints. By default it is in memory only. */
  readonly directory?: string | false;
  /** Whether a run that is in the directory already may be deleted for this one. */
  readonly overwrite?: boolean;
  /** Steps from one keeping of sampled answers (`samples.jsonl`) to the next, of a run in words; 100 times a run by default. */
  readonly samplesEvery?: number;
  readonly plan?: Plan;
  readonly task?: RunOptions["task"];
  readonly data?: unknown;
}

/** An agent that begins to learn. */
export interface NewAgent extends TrainingOptions {
  /**
   * A name (`"ppo"`, with the settings that were found for the environment, but for `settings`), an algorithm with your own
   * (`ppo({ clip: 0.1 })`, which has the defaults for the rest), or a file of yours (`"./my-algorithm.js"`).
   */
  readonly algorithm: AlgorithmName | (string & {}) | Algorithm;
  /** A name, a file of yours, or the environment itself. */
  readonly env: Trainable;
  readonly from?: undefined;
}

/** An agent that goes on learning, here or elsewhere. */
export interface KnownAgent extends TrainingOptions {
  /** The agent: the folder of its run, or what was saved with `training: true`, by its path, its address or its bytes. */
  readonly from: AgentSource;
  /** By default the one that trained it, with its settings. */
  readonly algorithm?: AlgorithmName | (string & {}) | Algorithm;
  /** By default what it was trained on. */
  readonly env?: Trainable;
}

/** What to train, on what, and for how long. */
export type TrainOptions = NewAgent | KnownAgent;

/** The same with several seeds. */
export type SeedsOptions = (Omit<NewAgent, "seeds"> | Omit<KnownAgent, "seeds">) & {
  /** So many from `seed` on, or a list of them. */
  readonly seeds: number | readonly number[];
};

/**
 * Trains an agent.
 *
 *     const agent = await train({ algorithm: "ppo", env: "CartPole-v1", seed: 1 });
 *     console.log(agent.return.mean, agent.act([0, 0, 0, 0]));
 *
 * With `settings: { learningRate: 1e-3 }` the rest of what was found for the environment stays.
 *
 * With `seeds`, an agent for each of them. Where a round is one compiled function (on-policy methods in traced environments), a round of all
 * agents is one too; each learns what it would learn alone, to the last bit. With a `directory`, each is kept in a folder of it.
 */
export function train(options: TrainOptions): Promise<Trained>;
export function train(options: SeedsOptions): Promise<TrainedSeeds>;
export async function train(given: TrainOptions | SeedsOptions): Promise<Trained | TrainedSeeds> {
  await checkOptions(given);
  const { seeds, ...options } = given;
  return seeds === undefined ? trainOne(options) : trainSeeds(options, seeds);
}

async function trainOne(options: TrainOptions): Promise<Trained> {
  const began = performance.now();
  const listeners = new Listeners(options.callbacks);
  const { assembly, run } =
    options.from === undefined
      ? await begin(options, listeners)
      : await goFrom(options.from, options, listeners);
  const { directory: path, overwrite } = options;
  const keeper = path ? (await import("#node")).keep(run, assembly, { path, overwrite }) : undefined;
  const carry = (how: CarryOnOptions) => carryOn(run, keeper, { ...options, ...how }, began, listeners);
  if (!options.progress) return carry({});
  const { printProgress } = await import("#node");
  return printProgress(run, { ...options, settings: settingsIn(options, assembly) }, carry);
}

/** Where the settings of a run come from, in a few words. */
function settingsIn({ from, algorithm, settings = {} }: TrainOptions, assembly: Assembly): string {
  if (typeof algorithm === "object") return "its own settings";
  const over = Object.entries(settings).map(([name, value]) => `${name} ${said(value)}`);
  return settingsWords(from !== undefined, assembly, over);
}

async function trainSeeds(options: TrainOptions, given: SeedsOptions["seeds"]): Promise<TrainedSeeds> {
  const seeds = seedsOf("train", given, options.seed);
  const { directory, overwrite } = options;
  // Callbacks see steps of environments, and those of several runs could not be told apart.
  for (const name of ["callbacks", "sinks", "saveModel", "saveAdapters"] as const)
    if (options[name] !== undefined)
      fail("train", `${name} is for one run, and these are ${seeds.length}. Train them one by one.`);
  const listeners = new Listeners(undefined);
  const { assembly } =
    options.from === undefined
      ? await assembled(options, listeners)
      : await goFrom(options.from, options, listeners);
  const keep = directory ? (await import("#node")).keep : undefined;
  const begin = (seed: number) => {
    const own = assembly.seeded(seed);
    const run = own.begin();
    return { run, keeper: keep?.(run, own, { path: `${directory}/seed-${seed}`, overwrite }) };
  };
  if (!options.progress) return carryOnSeeds(seeds, begin, options);
  const { seedsPrinter } = await import("#node");
  return carryOnSeeds(seeds, begin, { ...options, onProgress: seedsPrinter(seeds.length, options) });
}

async function assembled(options: NewAgent, listeners: Listeners): Promise<{ assembly: Assembly }> {
  const place = observed(await sourceOfAny(options.env, options.envOptions, options.judge), listeners);
  return { assembly: await assemble({ ...options, algorithm: await algorithmOf(options.algorithm), place }) };
}

async function begin(options: NewAgent, listeners: Listeners): Promise<{ assembly: Assembly; run: Run }> {
  const { assembly } = await assembled(options, listeners);
  return { assembly, run: assembly.begin() };
}

/** All of them, as the type says. */
const names: { readonly [name in Exclude<keyof KnownAgent, keyof CarryOnOptions>]: true } = {
  algorithm: true,
  env: true,
  from: true,
  envOptions: true,
  settings: true,
  judge: true,
  wrappers: true,
  steps: true,
  seed: true,
  seeds: true,
  directory: true,
  overwrite: true,
  samplesEvery: true,
  plan: true,
  task: true,
  data: true,
};

/** Refuses what was misspelled or forgotten, before anything is made. */
async function checkOptions(options: TrainOptions | SeedsOptions): Promise<void> {
  const known = [...Object.keys(names), ...carryOnNames];
  if (typeof options === "object" && options !== null)
    await refuseMisplaced(options, options.algorithm, known);
  checkKeys("train", options, known);
  const { algorithm, env, from, envOptions, settings, directory, overwrite, samplesEvery } = options;
  if (settings !== undefined && typeof algorithm === "object" && algorithm !== null)
    fail(
      "train",
      `settings are for an algorithm by its name. ${algorithm.name} has its own: give them where it is made, or name it: algorithm: "${algorithm.name}".`,
    );
  if (algorithm === undefined && from === undefined)
    fail("train", 'there is no algorithm. Name one, as in train({ algorithm: "ppo", env: "CartPole-v1" }).');
  if (env === undefined && from === undefined)
    fail("train", 'there is no env. Name one, as in train({ algorithm: "ppo", env: "CartPole-v1" }).');
  if (envOptions !== undefined && typeof env === "function" && Object.keys(envOptions).length)
    fail(
      "train",
      "envOptions are for environments by name. Give yours in the function: () => new MyEnv({ … }).",
    );
  if (directory !== undefined && directory !== false && (typeof directory !== "string" || !directory))
    fail("train", `directory is ${said(directory)}; it must be a path, or false to keep nothing.`);
  if (samplesEvery !== undefined) checkWithin("train", "samplesEvery", samplesEvery, "positive", 10_000);
  if (overwrite && !directory)
    fail("train", "overwrite needs the directory that may be overwritten. Name it.");
  checkCarryOn("train", options);
}
