import { didYouMean, fail, type Run } from "@reins/core";
import type { RunConfig, RunDirectory, Wishes } from "@reins/core/directory";
import { ids } from "@reins/envs";
import { type Agent, agentOf } from "./agent.ts";
import type { Source } from "./places/source.ts";
import { sourceNamed, sourceOfAny, type Trainable } from "./places/trainable.ts";
import { assemble } from "./training/assembly.ts";
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
  const { directory, run, place } = await reopen(path, options);
  const { Keeper, checkTarget } = await import("#node");
  // From the beginning it would log over what is there.
  if (!place.savable)
    fail(
      path,
      `${place.spec.id} has no save() and restore(), so there is no checkpoint to go on from. Train anew, in another directory.`,
    );
  const { saveModel } = directory.config;
  if (typeof saveModel === "string" && !options.trust) checkTarget(path, saveModel);
  const { steps, checkpointEvery, evalEpisodes, solved } = options;
  directory.resume(run, { steps, checkpointEvery, evalEpisodes, solved });
  return { run, keeper: new Keeper(run, place, directory) };
}

/** The run that a directory describes, at its beginning. */
async function reopen(
  path: string,
  options: LoadOptions & { readonly steps?: number },
): Promise<{ directory: RunDirectory; run: Run; place: Source }> {
  const { codeIn, RunDirectory } = await import("#node");
  const directory = RunDirectory.open(path);
  const { config } = directory;
  const code = codeIn(config.options);
  if (code)
    fail(
      path,
      `its option ${code} is code, which no file can hold. Resume it from the program that began it.`,
    );
  const place = await placeOf(path, config, options);
  const assembly = assemble({
    place,
    algorithm: config.algorithm,
    settings: config.options,
    defaults: true,
    wrappers: config.wrappers as readonly string[] | undefined,
    steps: options.steps ?? config.steps,
    seed: config.seed,
  });
  return { directory, run: assembly.begin(), place: assembly.place };
}

/** The place of a kept run: what is given for it, else what its configuration names. */
async function placeOf(path: string, config: RunConfig, options: LoadOptions): Promise<Source> {
  const { env: given, trust = false } = options;
  if (given !== undefined) return sourceOfAny(given, config.envOptions);
  const file = options.file ?? config.module;
  if (typeof file === "string") {
    const { isTrusted, refuseCode, sourceFromModule } = await import("#node");
    if (options.file === undefined && !trust && !isTrusted(file)) refuseCode(path, file);
    return sourceFromModule(file, config.envOptions);
  }
  return (
    (await sourceNamed(config.env, config.envOptions)) ??
    fail(
      path,
      `it was trained on ${config.env}, which is not here.${didYouMean(config.env, ids())} register() it first, or pass \`env\`.`,
    )
  );
}
