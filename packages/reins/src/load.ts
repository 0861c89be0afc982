import { algorithms } from "@reins/algorithms";
import { type Algorithm, fail, type Run } from "@reins/core";
import type { ResumeOptions, RunConfig, RunDirectory } from "@reins/core/directory";
import { checkKeys, describeValue, didYouMean } from "@reins/core/errors";
import { ids } from "@reins/envs";
import { type Agent, agentOf } from "./agents/agent.ts";
import { readAgent } from "./agents/agent-file.ts";
import { agentFrom } from "./agents/load-agent.ts";
import { setEarlierSteps } from "./agents/run-content.ts";
import type { LearnerKind } from "./places/algorithm-by-name.ts";
import { fileOf } from "./places/algorithm-files.ts";
import { namesCode } from "./places/module-path.ts";
import { type Source, steppable } from "./places/source.ts";
import { currentTaskOptions } from "./places/text/former-options.ts";
import type { JudgeLike } from "./places/text/judge-like.ts";
import { sourceNamed, sourceOfAny, type Trainable } from "./places/trainable.ts";
import { assemble } from "./training/assembly.ts";
import { Listeners } from "./training/callbacks.ts";
import {
  type ContinueOptions,
  checkContinueOptions,
  continueOptionNames,
} from "./training/continue-options.ts";
import { withListeners } from "./training/env-listeners.ts";
import { assembleFrom } from "./training/from-agent.ts";
import type { Trained } from "./training/result.ts";
import { runTraining } from "./training/run-training.ts";
import type { RunWriter } from "./training/run-writer.ts";
import { checkTargets, type Targets, targetNames, targetNouns, targetsIn } from "./training/targets.ts";

/** Options of loading a saved run. */
export interface LoadOptions {
  /** The environment, if it is custom and the directory does not say how to create it. */
  readonly env?: Trainable;
  /** File of the environment, instead of the one in the run's configuration. */
  readonly file?: string;
  /**
   * Loads the best agent of the evaluations (`evalEvery`) instead of the last. Its default seed of `evaluate` is the run's seed plus 1: on the
   * episodes that chose it, it looks better than it is.
   */
  readonly best?: boolean;
  /** The algorithm, if the directory does not say how to create it: a custom one, or one with options that are code. */
  readonly algorithm?: Algorithm;
  /** Files of options that are code (`{ network: "./my-network.js" }`), instead of those in the run's configuration. */
  readonly optionFiles?: { readonly [option: string]: string };
  /** The judge of a language task, if the directory does not say how to create it. */
  readonly judge?: JudgeLike;
  /**
   * Whether the code that the run's configuration names may be run. By default only if the user of this machine has passed that
   * file to `reins train` before: a run may come from anyone.
   */
  readonly trust?: boolean;
}

/** All names of {@link LoadOptions}. */
const loadNames = Object.keys({
  env: true,
  file: true,
  best: true,
  algorithm: true,
  optionFiles: true,
  judge: true,
  trust: true,
} satisfies {
  readonly [name in keyof Required<LoadOptions>]: true;
});

/** Refuses a path that is not a string. */
const pathOf = (path: string): string =>
  typeof path === "string" && path
    ? path
    : fail(
        "load",
        `the path is ${describeValue(path)}. Pass the directory of a run, such as "runs/ppo-CartPole-v1-1".`,
      );

/**
 * Loads the last saved agent of a run directory. Nothing is locked or changed. Neither the algorithm nor the
 * environment is needed to act; the environment is needed to evaluate.
 */
export async function load(path: string, options: LoadOptions = {}): Promise<Agent> {
  checkKeys("load", options, loadNames);
  const { RunDirectory, languageAgent, readPlain, readLanguageWeights } = await import("#node");
  const directory = RunDirectory.open(pathOf(path));
  const file = directory.agentFile(options.best ? "best" : "last");
  if (options.best && !file)
    fail(
      path,
      "no best agent was saved: the run was not evaluated during training. Train with evalEvery (--eval-every).",
    );
  const words = file === undefined ? undefined : await readLanguageWeights(file);
  if (file && words) return languageAgent(words, file, await placeOf(path, directory.config, options));
  if (file) {
    const home = async () => steppable(await placeOf(path, directory.config, options));
    // The best agent was chosen on the episodes of the run's seed, which flatter it: it is evaluated on others.
    const evaluated = options.best ? { options: { seed: directory.config.seed + 1 } } : {};
    return agentFrom(readAgent(readPlain(file), file), file, { home, ...evaluated });
  }
  return fromCheckpoint(path, options);
}

/** The agent of a language run, or of a run from before agents had files. */
const fromCheckpoint = async (path: string, options: LoadOptions): Promise<Agent> =>
  agentOf(await restored(path, options));

/** Restores a run from its latest checkpoint in memory: nothing is locked or written. */
export async function restored(path: string, options: LoadOptions = {}): Promise<Run> {
  const { restoreRun } = await import("#node");
  const { directory, run } = await reopen(path, options);
  const found = directory.latest();
  if (!found)
    fail(path, directory.lost() ?? "no checkpoint exists yet. Wait for the first one, or resume the run.");
  restoreRun(run, found, directory.config);
  return run;
}

/**
 * Restores a run in memory to diagnose it: from its latest checkpoint or, if its environment has no save() and restore(), from its last
 * agent, with the history of its metrics and new environments. `steps` is the number that it had taken.
 */
export async function diagnosable(
  path: string,
  options: LoadOptions = {},
): Promise<{ readonly run: Run; readonly steps: number }> {
  const { RunDirectory, readPlain, storedOptions } = await import("#node");
  const directory = RunDirectory.open(pathOf(path));
  const file = directory.agentFile("last");
  const content = !file || !lacksCheckpoint(directory) ? undefined : readAgent(readPlain(file), file);
  if (!file || !content?.training) {
    const run = await restored(path, options);
    return { run, steps: run.steps };
  }
  const { config } = directory;
  const assembly = await assembleFrom(content, file, {
    place: await placeOf(path, config, options),
    algorithm: options.algorithm ?? (await trainerOf(path, config, options)),
    settings: options.algorithm ? undefined : await storedOptions(path, config, options),
    steps: config.steps,
    seed: config.seed,
  });
  const run = assembly.begin();
  for (const { step: _, ...metrics } of directory.metrics()) run.history.note(metrics);
  return { run, steps: content.steps };
}

/** Whether a run has no checkpoint. One that cannot be read counts as one: its error comes after the check of trust. */
export function lacksCheckpoint(directory: RunDirectory): boolean {
  try {
    return !directory.latest();
  } catch {
    return false;
  }
}

/**
 * Resumes a stopped run exactly where it stopped. More `steps` than before extend it. Options of the first start
 * (`checkpointEvery`, `evalEpisodes`, `solved`) hold unless they are passed here.
 */
export async function resume(
  path: string,
  options: LoadOptions & ContinueOptions & { readonly steps?: number } = {},
): Promise<Trained> {
  const began = performance.now();
  checkKeys("resume", options, ["steps", ...loadNames, ...continueOptionNames]);
  checkContinueOptions("resume", options);
  const listeners = new Listeners(options.callbacks);
  const { run, keeper } = await openForResume(path, options, listeners);
  const carry = (how: ContinueOptions) => runTraining(run, keeper, { ...options, ...how }, began, listeners);
  if (!options.progress) return carry({});
  const { printProgress } = await import("#node");
  return printProgress(run, options, carry);
}

/** A run at its latest checkpoint, with its directory locked. */
export async function openForResume(
  path: string,
  options: LoadOptions & ResumeOptions & Targets = {},
  listeners?: Listeners,
): Promise<{ run: Run; keeper: RunWriter }> {
  const { directory, run, place } = await reopen(path, options, listeners);
  const { RunWriter, checkTarget } = await import("#node");
  // Starting over would overwrite its logs.
  if (!place.savable)
    fail(
      path,
      `${place.spec.id} has no save() and restore(), so the run cannot be resumed. Continue from its saved agent in another directory: train({ from: "${path}/last.agent", env }), or reins train --from ${path}/last.agent.`,
    );
  const { problems } = directory.config;
  const { problems: here } = place.more ?? {};
  if (problems !== undefined && here !== undefined && problems !== here)
    fail(
      path,
      `the problems of ${place.spec.id} differ from those of the run: their file has changed. To resume, restore the file; to train on the new problems, start a run from the saved model.`,
    );
  checkTargets(place, targetsIn(options));
  const targets = targetsIn(directory.config);
  for (const name of targetNames) {
    const folder = targets[name];
    if (folder !== undefined && !options.trust) checkTarget(path, folder, targetNouns[name]);
  }
  const { steps, checkpointEvery, evalEpisodes, evalEvery, solved } = options;
  directory.resume(run, { steps, checkpointEvery, evalEpisodes, evalEvery, solved });
  return { run, keeper: new RunWriter(run, place, directory) };
}

/** Assembles the run of a directory, at its beginning. */
async function reopen(
  path: string,
  options: LoadOptions & { readonly steps?: number },
  listeners = new Listeners(),
): Promise<{ directory: RunDirectory; run: Run; place: Source }> {
  const { RunDirectory, storedOptions } = await import("#node");
  const directory = RunDirectory.open(pathOf(path));
  const { config } = directory;
  const place = withListeners(await placeOf(path, config, options), listeners);
  const settings = options.algorithm ? undefined : await storedOptions(path, config, options);
  const assembly = await assemble({
    place,
    algorithm: options.algorithm ?? (await trainerOf(path, config, options)),
    settings,
    defaults: true,
    wrappers: config.wrappers as readonly string[] | undefined,
    steps: options.steps ?? config.steps,
    seed: config.seed,
  });
  const run = assembly.begin();
  const { learned } = config;
  if (typeof learned === "number") setEarlierSteps(run, learned);
  return { directory, run, place: assembly.place };
}

/** The algorithm's name of a saved run; a custom algorithm's file is loaded. */
async function trainerOf(path: string, config: RunConfig, { trust = false }: LoadOptions): Promise<string> {
  const { algorithm: name, algorithmModule: file } = config;
  if (typeof file === "string" && (await fileOf(name)) !== file) {
    const { algorithmFromModule, checkCode } = await import("#node");
    checkCode(path, file, trust, "algorithm");
    await algorithmFromModule(file);
  }
  if (!Object.hasOwn(algorithms, name))
    fail(
      path,
      `it was trained by ${name}, which is not registered.${didYouMean(name, Object.keys(algorithms))} Call registerAlgorithm() first, or pass \`algorithm\`.`,
    );
  return name;
}

/** Stored options of a registered environment or, under their current names, of a language task. */
const storedEnvOptions = ({ env, envOptions }: RunConfig) =>
  ids().includes(env) || namesCode(env) ? envOptions : currentTaskOptions(envOptions);

/** The environment or language task of a saved run: the given one, else the one in its configuration. */
async function placeOf(path: string, config: RunConfig, options: LoadOptions): Promise<Source> {
  const { env: given, trust = false } = options;
  const kind: LearnerKind = config.trains === "reward" ? { trains: "reward" } : {};
  if (given !== undefined) return sourceOfAny(given, config.envOptions, options.judge, kind);
  const { checkCode, keptJudge, sourceFromFile, taskNamed } = await import("#node");
  const judge = keptJudge(path, config, options);
  const file = options.file ?? config.module;
  if (typeof file === "string") {
    if (options.file === undefined) checkCode(path, file, trust);
    return sourceFromFile(file, config.envOptions, judge);
  }
  // A path or a Python module would be run as code, and the run directory may come from anyone.
  if (namesCode(config.env) && !ids().includes(config.env)) checkCode(path, config.env, trust);
  const { dataset, data, test } = config;
  if (typeof data === "string")
    return (await import("#node")).dataSource(data, config.envOptions, undefined, kind.trains);
  const found =
    typeof dataset === "string"
      ? await taskNamed(dataset, { ...currentTaskOptions(config.envOptions), test }, judge, kind.trains)
      : await sourceNamed(config.env, storedEnvOptions(config), judge, kind);
  return (
    found ??
    fail(
      path,
      `it was trained on ${config.env}, which is not registered.${didYouMean(config.env, ids())} Call register() first, or pass \`env\` (--env ./my-env.js).`,
    )
  );
}
