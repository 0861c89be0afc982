import type { AlgorithmName } from "@reins/algorithms";
import { type Algorithm, type ExecutionPlan, fail, type Run, type RunOptions } from "@reins/core";
import { checkKeys, describeValue, printable } from "@reins/core/errors";
import { checkUsualRange } from "@reins/core/settings";
import type { AgentSource } from "./agents/bytes.ts";
import { algorithmOf } from "./places/algorithm-by-name.ts";
import type { EnvOptions } from "./places/source.ts";
import type { JudgeLike } from "./places/text/judge-like.ts";
import { sourceOfAny, type Trainable } from "./places/trainable.ts";
import type { WrapperName } from "./places/wrappers.ts";
import { type Assembly, assemble } from "./training/assembly.ts";
import { Listeners } from "./training/callbacks.ts";
import {
  type ContinueOptions,
  checkContinueOptions,
  continueOptionNames,
} from "./training/continue-options.ts";
import { withListeners } from "./training/env-listeners.ts";
import { resumeFrom } from "./training/from-agent.ts";
import { refuseMisplaced } from "./training/misplaced-settings.ts";
import type { Trained } from "./training/result.ts";
import { runTraining } from "./training/run-training.ts";
import { seedsOf, type TrainedSeeds, trainAllSeeds } from "./training/seeds.ts";
import type { NamedSettings } from "./training/settings.ts";
import { describeSettings } from "./training/settings-words.ts";

/** Options of training, from scratch or from an agent. */
export interface TrainingOptions extends ContinueOptions {
  readonly envOptions?: EnvOptions;
  /**
   * Settings of an algorithm by name (`{ learningRate: 1e-3 }`): they override the tuned settings for the environment, or
   * those of the agent. `reins algorithms ppo` lists them.
   */
  readonly settings?: NamedSettings;
  /** Judge of answers: `"exact"`, `"number"`, a file, or a function of the answer and the problem. */
  readonly judge?: JudgeLike;
  /** Wrappers of the environment by name, innermost first (`["normaliseObservation"]`; default: the tuned ones). */
  readonly wrappers?: readonly (WrapperName | (string & {}))[];
  /** Environment steps (default: the tuned number, or 100 000). */
  readonly steps?: number;
  /** The same seed gives the same run (default 0). */
  readonly seed?: number;
  readonly seeds?: undefined;
  /** Directory for configuration, metrics and checkpoints (default: none, the run stays in memory). */
  readonly directory?: string | false;
  /** Whether to delete a run that is already in the directory. */
  readonly overwrite?: boolean;
  /** Language runs: steps between saved samples in `samples.jsonl` (default: 100 times a run). */
  readonly samplesEvery?: number;
  readonly plan?: ExecutionPlan;
  readonly task?: RunOptions["task"];
  readonly data?: unknown;
}

/** Options of training from scratch. */
export interface NewAgent extends TrainingOptions {
  /**
   * A name (`"ppo"`, with the tuned settings for the environment, overridden by `settings`), an algorithm with your own settings
   * (`ppo({ clip: 0.1 })`, with defaults for the rest), or a file (`"./my-algorithm.js"`).
   */
  readonly algorithm: AlgorithmName | (string & {}) | Algorithm;
  /** A name, a file, or the environment itself. */
  readonly env: Trainable;
  readonly from?: undefined;
}

/** Options of training from an agent. */
export interface KnownAgent extends TrainingOptions {
  /** The agent: its run directory, or a file saved with `training: true`, by path, URL or bytes. */
  readonly from: AgentSource;
  /** The algorithm (default: the one that trained the agent, with its settings). */
  readonly algorithm?: AlgorithmName | (string & {}) | Algorithm;
  /** The environment (default: the training environment of the agent). */
  readonly env?: Trainable;
}

/** Options of {@link train}. */
export type TrainOptions = NewAgent | KnownAgent;

/** Options of training with several seeds. */
export type SeedsOptions = (Omit<NewAgent, "seeds"> | Omit<KnownAgent, "seeds">) & {
  /** A count of seeds, from `seed` on, or a list of seeds. */
  readonly seeds: number | readonly number[];
};

/**
 * Trains an agent.
 *
 *     const agent = await train({ algorithm: "ppo", env: "CartPole-v1", seed: 1 });
 *     console.log(agent.return.mean, agent.act([0, 0, 0, 0]));
 *
 * With `settings: { learningRate: 1e-3 }` the other tuned settings stay.
 *
 * With `seeds`, trains an agent per seed. On-policy methods in traced environments compute a round of all seeds in one compiled
 * function; each agent is bitwise equal to one trained alone. With a `directory`, each has a folder in it.
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
      : await resumeFrom(options.from, options, listeners);
  const { directory: path, overwrite } = options;
  const keeper = path ? (await import("#node")).openRunWriter(run, assembly, { path, overwrite }) : undefined;
  const carry = (how: ContinueOptions) => runTraining(run, keeper, { ...options, ...how }, began, listeners);
  if (!options.progress) return carry({});
  const { printProgress } = await import("#node");
  return printProgress(run, { ...options, settings: settingsIn(options, assembly) }, carry);
}

/** Describes where the settings of a run come from. */
function settingsIn({ from, algorithm, settings = {} }: TrainOptions, assembly: Assembly): string {
  if (typeof algorithm === "object") return "custom settings";
  const over = Object.entries(settings).map(([name, value]) => `${name} ${describeValue(value)}`);
  return describeSettings(from !== undefined, assembly, over);
}

async function trainSeeds(options: TrainOptions, given: SeedsOptions["seeds"]): Promise<TrainedSeeds> {
  const seeds = seedsOf("train", given, options.seed);
  const { directory, overwrite } = options;
  // Callbacks could not tell the environments of several runs apart.
  for (const name of ["callbacks", "sinks", "saveModel", "saveAdapters"] as const)
    if (options[name] !== undefined)
      fail(
        "train",
        `${name} is for a single run, but there are ${seeds.length} seeds. Train them one by one.`,
      );
  const listeners = new Listeners(undefined);
  const { assembly } =
    options.from === undefined
      ? await assembled(options, listeners)
      : await resumeFrom(options.from, options, listeners);
  const keep = directory ? (await import("#node")).openRunWriter : undefined;
  const begin = (seed: number) => {
    const own = assembly.seeded(seed);
    const run = own.begin();
    return { run, keeper: keep?.(run, own, { path: `${directory}/seed-${seed}`, overwrite }) };
  };
  if (!options.progress) return trainAllSeeds(seeds, begin, options);
  const { seedsPrinter } = await import("#node");
  return trainAllSeeds(seeds, begin, { ...options, onProgress: seedsPrinter(seeds.length, options) });
}

async function assembled(options: NewAgent, listeners: Listeners): Promise<{ assembly: Assembly }> {
  const algorithm = await algorithmOf(options.algorithm);
  const { env, envOptions, judge } = options;
  const place = withListeners(await sourceOfAny(env, envOptions, judge, algorithm), listeners);
  const assembly = await assemble({ ...options, algorithm, place });
  for (const note of assembly.notes) console.warn(printable(note));
  return { assembly };
}

async function begin(options: NewAgent, listeners: Listeners): Promise<{ assembly: Assembly; run: Run }> {
  const { assembly } = await assembled(options, listeners);
  return { assembly, run: assembly.begin() };
}

/** All option names, as the type requires. */
const names: { readonly [name in Exclude<keyof KnownAgent, keyof ContinueOptions>]: true } = {
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

/** Refuses unknown and missing options before anything is created. */
async function checkOptions(options: TrainOptions | SeedsOptions): Promise<void> {
  const known = [...Object.keys(names), ...continueOptionNames];
  if (typeof options === "object" && options !== null)
    await refuseMisplaced(options, options.algorithm, known);
  checkKeys("train", options, known);
  const { algorithm, env, from, envOptions, settings, directory, overwrite, samplesEvery } = options;
  if (settings !== undefined && typeof algorithm === "object" && algorithm !== null)
    fail(
      "train",
      `settings are for an algorithm by its name. ${algorithm.name} has its own: pass them where it is created, or pass its name: algorithm: "${algorithm.name}".`,
    );
  if (algorithm === undefined && from === undefined)
    fail("train", 'algorithm is missing. Pass one: train({ algorithm: "ppo", env: "CartPole-v1" }).');
  if (env === undefined && from === undefined)
    fail("train", 'env is missing. Pass one: train({ algorithm: "ppo", env: "CartPole-v1" }).');
  if (envOptions !== undefined && typeof env === "function" && Object.keys(envOptions).length)
    fail(
      "train",
      "envOptions are for environments by name. Pass yours in the function: () => new MyEnv({ … }).",
    );
  if (directory !== undefined && directory !== false && (typeof directory !== "string" || !directory))
    fail("train", `directory is ${describeValue(directory)}; it must be a path, or false to write nothing.`);
  if (samplesEvery !== undefined) checkUsualRange("train", "samplesEvery", samplesEvery, "positive", 10_000);
  if (overwrite && !directory)
    fail("train", "overwrite needs a directory. Set `directory` to the one to overwrite.");
  checkContinueOptions("train", options);
}
