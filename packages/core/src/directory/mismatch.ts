import { DamagedDataError, fail, ReinsError } from "../errors.ts";
import type { Run } from "../run.ts";
import type { RunOptions } from "../run-options.ts";
import type { Checkpoint } from "./checkpoints.ts";
import { plain, type RunConfig } from "./config.ts";

/** Refuses a run whose algorithm or environment differs from the directory's. */
export function admit(
  path: string,
  config: Pick<RunConfig, "algorithm" | "env">,
  { algorithm, env }: { algorithm: { name: string }; env: { spec: { id: string } } },
): void {
  const way = "Use a separate directory for it.";
  if (algorithm.name !== config.algorithm)
    fail(path, `the run was trained with ${config.algorithm}, but this is ${algorithm.name}. ${way}`);
  if (env.spec.id !== config.env)
    fail(path, `the run was trained on ${config.env}, but this is ${env.spec.id}. ${way}`);
}

/** Restores a run from a checkpoint, or reports why it does not fit. */
export function restoreRun(run: Run, { head, snapshot, path }: Checkpoint, config: RunConfig): void {
  admit(path, head, run.options);
  try {
    run.restore(snapshot);
  } catch (error) {
    if (!(error instanceof ReinsError) || error instanceof DamagedDataError) throw error;
    const text = `Checkpoint ${path}, written by Reins ${head.reins}, does not fit: ${error.message}`;
    const way = /start a new run\.$/.test(error.message) ? undefined : differences(config, run.options);
    throw new ReinsError(way === undefined ? text : `${text} ${way}`, { cause: error });
  }
}

/** Differences between the options of a run and those of its directory, and what to do. */
function differences(config: RunConfig, { algorithm }: RunOptions): string {
  const [was, is] = [config.options, plain(algorithm.options) as Record<string, unknown>];
  // Phases have no options of their own.
  const names = Object.keys(was).filter((n) => n in is && JSON.stringify(was[n]) !== JSON.stringify(is[n]));
  if (!names.length)
    return `It was written by another version of ${algorithm.name} or of the environment. Start a new run.`;
  const changes = names.map((n) => `${n} ${JSON.stringify(was[n])}, not ${JSON.stringify(is[n])}`);
  return `It was trained with ${changes.join(", ")}. Resume it with the same options, or start a new run.`;
}
