import { fail } from "@reins/core";
import { describeValue } from "@reins/core/errors";
import { checkUsualRange } from "@reins/core/settings";
import { type Callbacks, checkCallbacks } from "./callbacks.ts";
import type { Progress } from "./progress.ts";
import type { Sink } from "./sink.ts";
import { checkSinks } from "./sinks.ts";
import { type Targets, targetNames } from "./targets.ts";

/** Options of training beside the algorithm's: checkpoints, evaluations, callbacks, sinks, progress. */
export interface ContinueOptions extends Targets {
  /** Environment steps between checkpoints (default: one every five minutes). The last state is always saved. */
  readonly checkpointEvery?: number;
  /** Environment steps between evaluations during training; the best agent is saved beside the last (default: none). */
  readonly evalEvery?: number;
  /** Called after steps, episodes, updates and evaluations. */
  readonly callbacks?: Callbacks | readonly Callbacks[];
  /** Destinations for rows of metrics beside the run directory, as in `[csv("metrics.csv")]`. */
  readonly sinks?: readonly Sink[];
  /** Episodes of the final evaluation (default 100); 0 reports the return of the last training episodes. */
  readonly evalEpisodes?: number;
  /** Stops when the mean return of the last 100 episodes reaches the environment's `solvedAt`. */
  readonly solved?: boolean;
  /** Whether to print progress, as the command line does (default false). */
  readonly progress?: boolean;
  /** Called with the progress a few times a second and once at the end. Returning false stops the run. */
  readonly onProgress?: (progress: Progress) => unknown;
  /** Polled during the final evaluation: true interrupts it. The trained run is saved; resuming it evaluates the agent. */
  readonly interrupted?: () => boolean;
  /** Milliseconds between calls of `onProgress` (default 250). */
  readonly progressEvery?: number;
}

/** All names of {@link ContinueOptions}. */
export const continueOptionNames = Object.keys({
  checkpointEvery: true,
  evalEvery: true,
  callbacks: true,
  sinks: true,
  evalEpisodes: true,
  solved: true,
  saveModel: true,
  saveAdapters: true,
  progress: true,
  onProgress: true,
  interrupted: true,
  progressEvery: true,
} satisfies { readonly [name in keyof Required<ContinueOptions>]: true });

/** Refuses numbers that are out of range, and callbacks that are not functions. */
export function checkContinueOptions(what: string, options: ContinueOptions): void {
  const { checkpointEvery, evalEvery, callbacks, evalEpisodes, progressEvery, onProgress, interrupted } =
    options;
  if (checkpointEvery !== undefined)
    checkUsualRange(what, "checkpointEvery", checkpointEvery, "positive", 10_000);
  if (evalEvery !== undefined) checkUsualRange(what, "evalEvery", evalEvery, "positive", 20_000);
  if (callbacks !== undefined) checkCallbacks(what, callbacks);
  if (options.sinks !== undefined) checkSinks(what, options.sinks);
  if (evalEpisodes !== undefined) checkUsualRange(what, "evalEpisodes", evalEpisodes, "whole", 100);
  if (progressEvery !== undefined) checkUsualRange(what, "progressEvery", progressEvery, "nonnegative", 250);
  if (options.progress !== undefined && typeof options.progress !== "boolean")
    fail(
      what,
      `progress is ${describeValue(options.progress)}; it must be true or false. Pass a function as onProgress.`,
    );
  for (const name of targetNames) {
    const folder: unknown = options[name];
    if (folder !== undefined && (typeof folder !== "string" || !folder))
      fail(what, `${name} is ${describeValue(folder)}; it must be the path of a folder.`);
  }
  for (const [name, hook] of Object.entries({ onProgress, interrupted }))
    if (hook !== undefined && typeof hook !== "function")
      fail(what, `${name} is ${describeValue(hook)}; it must be a function: ${name}: (progress) => …`);
}
