import { resolve } from "node:path";
import type { Run } from "@reins/core";
import { LogSchedule, type RunConfig, RunDirectory } from "@reins/core/directory";
import type { Source } from "../places/source.ts";
import { noteTarget } from "../places/trust.ts";
import type { Assembly } from "./assembly.ts";

/** Begins to keep a new run: at a path, or in the next free folder of its name under a root. */
export function keep(
  run: Run,
  { place, config }: Assembly,
  where: { readonly path: string } | { readonly root: string },
): Keeper {
  const { saveModel: target } = config;
  // Found again from wherever the run goes on.
  const kept = target === undefined ? config : { ...config, saveModel: resolve(target) };
  const claimed = (path: string) => target !== undefined && noteTarget(path, target);
  const directory =
    "path" in where
      ? RunDirectory.create(where.path, kept, { claimed })
      : RunDirectory.next(kept, { ...where, claimed });
  return new Keeper(run, place, directory);
}

/**
 * Keeps a run in its directory while it goes on: rows of metrics, checkpoints, and how it ended. Rows follow steps alone, so that the
 * same run has the same rows. When a checkpoint is written changes nothing, so that follows the clock unless steps are asked for.
 */
export class Keeper {
  private readonly run: Run;
  private readonly directory: RunDirectory;
  private readonly savable: boolean;
  private readonly schedule: { readonly rows: number; readonly checkpoints: number };
  private readonly rows: LogSchedule;

  constructor(run: Run, env: Source, directory: RunDirectory) {
    const { steps } = run.options;
    const { checkpointEvery } = directory.config;
    this.run = run;
    this.directory = directory;
    this.savable = env.savable;
    // One at the end in any case, and one every few minutes.
    this.schedule = { rows: 200, checkpoints: checkpointEvery ? Math.max(1, steps / checkpointEvery) : 1 };
    this.rows = new LogSchedule(steps, this.schedule.rows);
  }

  /** What was asked for when it began and is done again when it goes on. */
  get wishes(): Pick<RunConfig, "evalEpisodes" | "solved"> {
    return this.directory.config;
  }

  /** The folder that the run's language model is to be written to when it ends, as its configuration says. */
  get model(): string | undefined {
    const { saveModel } = this.directory.config;
    return typeof saveModel === "string" ? saveModel : undefined;
  }

  get path(): string {
    return this.directory.path;
  }

  /** Whether it is noted that the run came to its end. */
  get isFinished(): boolean {
    return this.directory.summary()?.status === "finished";
  }

  /** Whether that was before its budget was spent, because it was solved. */
  get wasSolved(): boolean {
    return this.isFinished && this.directory.summary()?.ended === "solved";
  }

  /** After every round; cheap where nothing is due. */
  round(): void {
    const { directory, run } = this;
    if (this.savable) directory.record(run, this.schedule);
    else if (this.rows.due(run.steps)) directory.log(run.steps, run.metrics);
  }

  /** Before the end of the budget: the state must be kept where it stopped. A row is written only if nothing will come after. */
  stop(final: boolean): void {
    const { directory, run } = this;
    if (final && directory.metrics().at(-1)?.step !== run.steps) directory.log(run.steps, run.metrics);
    if (this.savable) directory.checkpoint(run);
  }

  /** Notes how it ended. */
  finish(status: "finished" | "stopped", more: { readonly [name: string]: unknown }): void {
    const { run } = this;
    this.directory.finish({ status, steps: run.steps, metrics: run.metrics, ...more });
  }

  /** Notes what went wrong and gives the directory back. That it cannot be written must not hide why. */
  crash(error: unknown): void {
    try {
      const message = error instanceof Error ? error.message : String(error);
      this.directory.finish({ status: "crashed", steps: this.run.steps, error: message });
    } catch {}
    try {
      this.close();
    } catch {}
  }

  close(): void {
    this.directory.close();
  }
}
