import { existsSync } from "node:fs";
import { join } from "node:path";
import { DamagedDataError, fail } from "../errors.ts";
import type { Run } from "../run.ts";
import type { Checkpoint, Checkpoints } from "./checkpoints.ts";
import type { ResumeOptions, RunConfig } from "./config.ts";
import { checkConfig } from "./identity.ts";
import { lastRow } from "./last-row.ts";
import { restoreRun } from "./mismatch.ts";

/** A run directory whose run continues. */
export interface ContinuedRun {
  readonly path: string;
  readonly config: RunConfig;
  readonly checkpoints: Checkpoints;
  readonly warn: (message: string) => void;
}

/** A checkpoint, after checking that it belongs to this run. */
export function fitting({ path, config, warn }: ContinuedRun, found: Checkpoint | undefined) {
  if (found) checkConfig(path, config, found.head, warn);
  return found;
}

/** Why checkpoints are missing although some were written; undefined otherwise. */
export function lostCheckpoints({ path, checkpoints }: ContinuedRun): string | undefined {
  const logged = lastRow(join(path, "metrics.jsonl"));
  const kept = logged ? ` Metrics exist up to step ${logged.step}; nothing was changed.` : "";
  const way = "Restore them from a copy, or start a new run in another directory.";
  if (checkpoints.damaged.size)
    return `no checkpoint can be read (${[...checkpoints.damaged].join(", ")}).${kept} ${way}`;
  const folder = existsSync(checkpoints.folder);
  return checkpoints.wereWritten || (logged && !folder)
    ? `its checkpoints are lost: checkpoints/ ${folder ? "is empty" : "is missing"}.${kept} ${way}`
    : undefined;
}

/** The checkpoint from which the run continues; undefined at its beginning. */
export function startingPoint(run: ContinuedRun): Checkpoint | undefined {
  const found = fitting(run, run.checkpoints.latest());
  if (found) return found;
  const lost = lostCheckpoints(run);
  // Starting over would delete the logs.
  if (lost !== undefined) fail(run.path, lost);
  return undefined;
}

/** Restores a run from the latest checkpoint that is intact with all files that it refers to. */
export function restoreLatest(run: Run, directory: ContinuedRun): Checkpoint | undefined {
  for (;;) {
    const found = startingPoint(directory);
    try {
      if (found) restoreRun(run, found, directory.config);
      return found;
    } catch (error) {
      if (!(error instanceof DamagedDataError)) throw error;
      directory.checkpoints.reject(found!, error.message);
    }
  }
}

/** Refuses a budget that the run has already reached, and warns if `config.json` has another one than the checkpoint. */
export function checkBudget(
  { path, config, warn }: ContinuedRun,
  steps: number,
  found: Checkpoint,
  wishes: ResumeOptions,
): void {
  const { budget } = found.head;
  const asked = wishes.steps !== undefined || steps !== config.steps;
  if (asked && steps <= found.steps)
    fail(
      path,
      `${steps} steps were requested, but it has already taken ${found.steps}. Request more to extend it, or leave the steps out to continue as before.`,
    );
  if (steps !== config.steps || budget === undefined || budget === steps) return;
  const instead = budget > found.steps ? ` and resume it with ${budget}` : ", as it was done";
  warn(
    `${path}: config.json has ${steps} steps; when the checkpoint at step ${found.steps} was written, it had ${budget}. The run continues to ${steps}: unless you extended it, stop it${instead}.`,
  );
}
