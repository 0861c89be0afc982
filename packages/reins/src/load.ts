import { didYouMean, fail, Run } from "@reins/core";
import type { RunConfig, RunDirectory, Wishes } from "@reins/core/directory";
import { ids } from "@reins/envs";
import { type Agent, agentOf } from "./agent.ts";
import { type Source, sourceOf, wrapped } from "./places/source.ts";
import { sourceOfAny, type Trainable } from "./places/trainable.ts";
import { makerOf } from "./training/algorithm.ts";
import { type CarryOnOptions, carryOn } from "./training/carry-on.ts";
import type { Keeper } from "./training/keeper.ts";
import type { Trained } from "./training/result.ts";

/** How a kept run is brought back. */
export interface LoadOptions {
  /** The environment, where the directory cannot say how to make it (one of your own). */
  readonly env?: Trainable;
  /** The file of the environment, instead of the one that the run's configuration names. */
  readonly file?: string;
  /**
   * Whether the code that the run's configuration names may be run. By default only if the user of this machine has named that very
   * file to `reins train` before: a run may come from anybody.
   */
  readonly trust?: boolean;
}

/** The agent of a run that is kept in a directory, as of its latest checkpoint. Nothing is locked or changed. */
export async function load(path: string, options: LoadOptions = {}): Promise<Agent> {
  const { directory, run } = await reopen(path, options);
  const found = directory.latest();
  if (!found)
    fail(
      path,
      directory.lost() ?? "there is no checkpoint to load. Let the run go on for a while, or resume it.",
    );
  run.restore(found.snapshot);
  return agentOf(run);
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
  const { run, keeper } = await goOn(path, options);
  return carryOn(run, keeper, options, began);
}

/** A run at its latest checkpoint, its directory locked and ready to go on. */
export async function goOn(
  path: string,
  options: LoadOptions & Wishes = {},
): Promise<{ run: Run; keeper: Keeper }> {
  const { directory, run, env } = await reopen(path, options);
  const { Keeper, checkTarget } = await import("#node");
  // From the beginning it would log over what is there.
  if (!env.savable)
    fail(
      path,
      `${env.spec.id} has no save() and restore(), so there is no checkpoint to go on from. Train anew, in another directory.`,
    );
  const { saveModel } = directory.config;
  if (typeof saveModel === "string" && !options.trust) checkTarget(path, saveModel);
  const { steps, checkpointEvery, evalEpisodes, solved } = options;
  directory.resume(run, { steps, checkpointEvery, evalEpisodes, solved });
  return { run, keeper: new Keeper(run, env, directory) };
}

/** The run that a directory describes, at its beginning. */
async function reopen(
  path: string,
  options: LoadOptions & { readonly steps?: number },
): Promise<{ directory: RunDirectory; run: Run; env: Source }> {
  const { codeIn, RunDirectory } = await import("#node");
  const directory = RunDirectory.open(path);
  const { config } = directory;
  const code = codeIn(config.options);
  if (code)
    fail(
      path,
      `its option ${code} is code, which no file can hold. Resume it from the program that began it.`,
    );
  const env = await environmentOf(path, config, options);
  const algorithm = makerOf(config.algorithm)(config.options as never);
  const run = new Run({
    algorithm: env.prepare?.(algorithm) ?? algorithm,
    env,
    steps: options.steps ?? config.steps,
    seed: config.seed,
  });
  return { directory, run, env };
}

async function environmentOf(path: string, config: RunConfig, options: LoadOptions): Promise<Source> {
  const { env: given, trust = false } = options;
  const wrappers = (config.wrappers as readonly string[]) ?? [];
  if (given !== undefined) return wrapped(await sourceOfAny(given, config.envOptions), wrappers);
  const file = options.file ?? config.module;
  if (typeof file === "string") {
    const { isTrusted, refuseCode, sourceFromModule } = await import("#node");
    if (options.file === undefined && !trust && !isTrusted(file)) refuseCode(path, file);
    return wrapped(await sourceFromModule(file, config.envOptions), wrappers);
  }
  if (!ids().includes(config.env)) {
    const { taskNamed } = await import("#node");
    const found = await taskNamed(config.env, config.envOptions);
    if (found) return found;
    fail(
      path,
      `it was trained on ${config.env}, which is not here.${didYouMean(config.env, ids())} register() it first, or pass \`env\`.`,
    );
  }
  return sourceOf(config.env, config.envOptions, wrappers);
}
