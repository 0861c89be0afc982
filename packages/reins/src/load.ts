import { algorithms } from "@reins/algorithms";
import { type Algorithm, checkKeys, didYouMean, fail, type Run, said } from "@reins/core";
import type { RunConfig, RunDirectory, Wishes } from "@reins/core/directory";
import { ids } from "@reins/envs";
import { type Agent, agentOf } from "./agents/agent.ts";
import { readAgent } from "./agents/agent-file.ts";
import { agentFrom } from "./agents/load-agent.ts";
import { goesOnAfter } from "./agents/of-run.ts";
import { fileOf } from "./places/algorithm-files.ts";
import { namesCode } from "./places/module-path.ts";
import { type Source, steppable } from "./places/source.ts";
import type { JudgeLike } from "./places/text/judge-like.ts";
import { sourceNamed, sourceOfAny, type Trainable } from "./places/trainable.ts";
import { assemble } from "./training/assembly.ts";
import { Listeners } from "./training/callbacks.ts";
import { type CarryOnOptions, carryOn, carryOnNames, checkCarryOn } from "./training/carry-on.ts";
import { assembleFrom } from "./training/from-agent.ts";
import type { Keeper } from "./training/keeper.ts";
import { observed } from "./training/observed.ts";
import type { Trained } from "./training/result.ts";
import { checkTargets, type Targets, targetNames, targetsIn, targetWords } from "./training/targets.ts";

/** How a kept run is brought back. */
export interface LoadOptions {
  /** The environment, where the directory cannot say how to make it (one of your own). */
  readonly env?: Trainable;
  /** The file of the environment, instead of the one that the run's configuration names. */
  readonly file?: string;
  /** The best agent of the evaluations on the way (`evalEvery`) instead of the last. */
  readonly best?: boolean;
  /** The algorithm, where the directory cannot say how to make it: one of your own, or one with options that are code. */
  readonly algorithm?: Algorithm;
  /** Files of options that are code (`{ network: "./my-network.js" }`), instead of those that the run's configuration names. */
  readonly optionFiles?: { readonly [option: string]: string };
  /** The judge of answers in words, where the directory cannot say how to make it. */
  readonly judge?: JudgeLike;
  /**
   * Whether the code that the run's configuration names may be run. By default only if the user of this machine has named that very
   * file to `reins train` before: a run may come from anybody.
   */
  readonly trust?: boolean;
}

/** Names of {@link LoadOptions}, all of them. */
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

/** The path of a run, if it is one. */
const pathOf = (path: string): string =>
  typeof path === "string" && path
    ? path
    : fail("load", `which run? Give its directory, such as "runs/ppo-CartPole-v1-1"; this is ${said(path)}.`);

/**
 * The agent of a run that is kept in a directory, as it was written last. Nothing is locked or changed. Neither the algorithm nor the
 * environment is needed for it to act; the environment only where it is measured in that of its training.
 */
export async function load(path: string, options: LoadOptions = {}): Promise<Agent> {
  checkKeys("load", options, loadNames);
  const { RunDirectory, agentInWords, readPlain, readWords } = await import("#node");
  const directory = RunDirectory.open(pathOf(path));
  const file = directory.agentFile(options.best ? "best" : "last");
  if (options.best && !file)
    fail(
      path,
      "no best agent is kept here: nothing was measured on the way. Train with evalEvery (--eval-every).",
    );
  const words = file === undefined ? undefined : await readWords(file);
  if (file && words) return agentInWords(words, file, await placeOf(path, directory.config, options));
  if (file) {
    const home = async () => steppable(await placeOf(path, directory.config, options));
    return agentFrom(readAgent(readPlain(file), file), file, { home });
  }
  return fromCheckpoint(path, options);
}

/** The agent of a run that is answered in words, or that was kept before agents had files of their own. */
const fromCheckpoint = async (path: string, options: LoadOptions): Promise<Agent> =>
  agentOf(await restored(path, options));

/** A run as its latest checkpoint has it, in memory alone: nothing is locked, and nothing will be written. */
export async function restored(path: string, options: LoadOptions = {}): Promise<Run> {
  const { directory, run } = await reopen(path, options);
  const found = directory.latest();
  if (!found)
    fail(
      path,
      directory.lost() ?? "there is no checkpoint to load. Let the run go on for a while, or resume it.",
    );
  run.restore(found.snapshot);
  return run;
}

/**
 * A run to diagnose, in memory alone: its latest checkpoint, or where its environment has no save() and restore() its last agent, with the
 * history of its metrics, in environments that start over. `steps` is how many it had taken.
 */
export async function diagnosable(
  path: string,
  options: LoadOptions = {},
): Promise<{ readonly run: Run; readonly steps: number }> {
  const { RunDirectory, readPlain, storedOptions } = await import("#node");
  const directory = RunDirectory.open(pathOf(path));
  const file = directory.agentFile("last");
  const content = directory.latest() || !file ? undefined : readAgent(readPlain(file), file);
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

/**
 * Goes on with a run that was stopped, exactly as if it had not been. More `steps` than before extend it. What was asked for when it began
 * (`checkpointEvery`, `evalEpisodes`, `solved`) holds until something else is asked for here.
 */
export async function resume(
  path: string,
  options: LoadOptions & CarryOnOptions & { readonly steps?: number } = {},
): Promise<Trained> {
  const began = performance.now();
  checkKeys("resume", options, ["steps", ...loadNames, ...carryOnNames]);
  checkCarryOn("resume", options);
  const listeners = new Listeners(options.callbacks);
  const { run, keeper } = await goOn(path, options, listeners);
  const carry = (how: CarryOnOptions) => carryOn(run, keeper, { ...options, ...how }, began, listeners);
  if (!options.progress) return carry({});
  const { printProgress } = await import("#node");
  return printProgress(run, options, carry);
}

/** A run at its latest checkpoint, its directory locked and ready to go on. */
export async function goOn(
  path: string,
  options: LoadOptions & Wishes & Targets = {},
  listeners?: Listeners,
): Promise<{ run: Run; keeper: Keeper }> {
  const { directory, run, place } = await reopen(path, options, listeners);
  const { Keeper, checkTarget } = await import("#node");
  // From the beginning it would log over what is there.
  if (!place.savable)
    fail(
      path,
      `${place.spec.id} has no save() and restore(), so it cannot go on exactly where it was. Its agent is kept: go on from that in another directory, by train({ from: "${path}/last.agent", env }), or reins train --from ${path}/last.agent.`,
    );
  const { problems } = directory.config;
  const { problems: here } = place.more ?? {};
  if (problems !== undefined && here !== undefined && problems !== here)
    fail(
      path,
      `the problems of ${place.spec.id} are not those that it was trained on: their file has changed. To go on exactly, put it back as it was; to learn the new ones, begin a run with the model that was saved.`,
    );
  checkTargets(place, targetsIn(options));
  const targets = targetsIn(directory.config);
  for (const name of targetNames) {
    const folder = targets[name];
    if (folder !== undefined && !options.trust) checkTarget(path, folder, targetWords[name]);
  }
  const { steps, checkpointEvery, evalEpisodes, evalEvery, solved } = options;
  directory.resume(run, { steps, checkpointEvery, evalEpisodes, evalEvery, solved });
  return { run, keeper: new Keeper(run, place, directory) };
}

/** The run that a directory describes, at its beginning. */
async function reopen(
  path: string,
  options: LoadOptions & { readonly steps?: number },
  listeners = new Listeners(),
): Promise<{ directory: RunDirectory; run: Run; place: Source }> {
  const { RunDirectory, storedOptions } = await import("#node");
  const directory = RunDirectory.open(pathOf(path));
  const { config } = directory;
  const place = observed(await placeOf(path, config, options), listeners);
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
  if (typeof learned === "number") goesOnAfter(run, learned);
  return { directory, run, place: assembly.place };
}

/** The name of the algorithm of a kept run, once it is known: where it is code of somebody's own, its file is loaded. */
async function trainerOf(path: string, config: RunConfig, { trust = false }: LoadOptions): Promise<string> {
  const { algorithm: name, algorithmModule: file } = config;
  if (typeof file === "string" && (await fileOf(name)) !== file) {
    const { algorithmFromModule, isTrusted, refuseCode } = await import("#node");
    if (!trust && !isTrusted(file)) refuseCode(path, file, "algorithm");
    await algorithmFromModule(file);
  }
  if (!Object.hasOwn(algorithms, name))
    fail(
      path,
      `it was trained by ${name}, which is not here.${didYouMean(name, Object.keys(algorithms))} registerAlgorithm() it first, or pass \`algorithm\`.`,
    );
  return name;
}

/** The place of a kept run: what is given for it, else what its configuration names. */
async function placeOf(path: string, config: RunConfig, options: LoadOptions): Promise<Source> {
  const { env: given, trust = false } = options;
  if (given !== undefined) return sourceOfAny(given, config.envOptions, options.judge);
  const { isTrusted, keptJudge, refuseCode, sourceFromFile, taskNamed } = await import("#node");
  const judge = keptJudge(path, config, options);
  const file = options.file ?? config.module;
  if (typeof file === "string") {
    if (options.file === undefined && !trust && !isTrusted(file)) refuseCode(path, file);
    return sourceFromFile(file, config.envOptions, judge);
  }
  // A path or a Python module would be run as code, and the run folder may come from a stranger.
  if (namesCode(config.env) && !ids().includes(config.env) && !trust && !isTrusted(config.env))
    refuseCode(path, config.env);
  const { dataset, test } = config;
  const found =
    typeof dataset === "string"
      ? await taskNamed(dataset, { ...config.envOptions, test }, judge)
      : await sourceNamed(config.env, config.envOptions, judge);
  return (
    found ??
    fail(
      path,
      `it was trained on ${config.env}, which is not here.${didYouMean(config.env, ids())} register() it first, or pass \`env\` (--env ./my-env.js).`,
    )
  );
}
