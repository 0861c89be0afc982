import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import type { Metrics } from "../algorithm.ts";
import type { Episode } from "../episode.ts";
import { checkKeys, Damaged, fail } from "../errors.ts";
import { printable } from "../printable.ts";
import type { Run } from "../run.ts";
import { checkpointFormat } from "./checkpoint.ts";
import { type Checkpoint, Checkpoints } from "./checkpoints.ts";
import { admitFolder, claimName, clearFolder } from "./claim.ts";
import {
  configOf,
  type RunConfig,
  type RunSettings,
  readConfig,
  version,
  type Wishes,
  writeConfig,
} from "./config.ts";
import { cutEpisodes, listEpisodes, numbers, type RecordedEpisode, writeEpisode } from "./episodes.ts";
import { guarded, making } from "./failures.ts";
import { disk, type Files, makeFolder, removeDrafts, replaceFile } from "./files.ts";
import { admitConfig, identityOf } from "./identity.ts";
import { lastRow } from "./last-row.ts";
import { type Row, readRows } from "./lines.ts";
import { takeLock } from "./lock.ts";
import { Logs } from "./logs.ts";
import { admit, restoreRun } from "./mismatch.ts";
import { checkRunFolder } from "./plain-files.ts";
import { type RecordOptions, RunRecorder } from "./recorder.ts";
import {
  isOver,
  type RunStatus,
  type RunSummary,
  readSummary,
  statusOf,
  summaryName,
  writeSummary,
} from "./summary.ts";

/** How a directory keeps its run. */
export interface DirectoryOptions {
  /** Checkpoints to keep, beside the best one. More go back further and take more space (1 to 10). */
  readonly keep?: number;
  /** Whether to write TensorBoard's event files too. */
  readonly tensorboard?: boolean;
  /** Told of damage that was worked around. */
  readonly warn?: (message: string) => void;
  /** The disk; tests pass one that fails. */
  readonly files?: Files;
}

/** Warnings quote what files say. */
const warnPlainly = (message: string): void => console.warn(printable(message));

/** Agents that a directory keeps beside its checkpoints: the last one, and the one that was measured best. */
export type KeptAgent = "last" | "best";

/** What a checkpoint needs to know of a run; every {@link Run} is one. */
export type Keepable = Pick<Run, "steps" | "metrics" | "save"> & {
  readonly options: {
    readonly algorithm: { readonly name: string };
    readonly env: { readonly spec: { readonly id: string } };
  };
};

/**
 * The directory that holds a run: its configuration, metrics, checkpoints and episodes. Reading disturbs nobody. The first writing takes
 * the directory's lock and removes what was logged after the last checkpoint, since the run goes on from there and will log it again.
 */
export class RunDirectory {
  /** Where it is. */
  readonly path: string;
  private current: RunConfig;
  private readonly files: Files;
  private readonly warn: (message: string) => void;
  private readonly tensorboard: boolean;
  private readonly checkpoints: Checkpoints;
  private release: (() => void) | undefined;
  private logs: Logs | undefined;
  /** When this process opened it, by `performance.now()`. */
  private readonly opened = performance.now();
  private recorder: RunRecorder | undefined;
  /** Told of every row that was written. */
  onRow: ((step: number, metrics: Readonly<Metrics>) => void) | undefined;
  /** Whether the run did something since it was opened or finished. */
  private goesOn = false;
  /** Whether there was nothing before, so that nothing is later than a checkpoint. */
  private isNew = false;
  private over = false;

  private constructor(path: string, config: RunConfig, options: DirectoryOptions) {
    checkKeys(path, options, ["keep", "tensorboard", "warn", "files", "overwrite", "claimed"]);
    const { keep = 2, tensorboard = true, warn = warnPlainly, files = disk } = options;
    if (!(keep >= 1)) fail(path, `keep is ${keep}; at least 1 checkpoint must be kept.`);
    this.path = path;
    this.current = config;
    this.files = files;
    this.warn = warn;
    this.tensorboard = tensorboard;
    this.checkpoints = new Checkpoints(join(path, "checkpoints"), files, keep, warn);
  }

  /**
   * Makes a directory for a new run and locks it. One that holds a run is refused, unless `overwrite` says to delete that. `claimed` is
   * told its path before there is a run: what must be known of one is kept first.
   */
  static create(
    path: string,
    config: RunSettings,
    options: DirectoryOptions & { overwrite?: boolean; claimed?: (path: string) => void } = {},
  ): RunDirectory {
    const directory = new RunDirectory(path, configOf(config), options);
    const { files } = directory;
    making(path, () => {
      admitFolder(path, options.overwrite ?? false);
      makeFolder(files, path);
      directory.holding(() => {
        // Again, now that nobody else can: another process may have kept a run here in between.
        admitFolder(path, options.overwrite ?? false);
        clearFolder(files, path);
        // From the beginning, so that its absence says that it was lost.
        files.mkdirSync(directory.checkpoints.folder);
        options.claimed?.(path);
        writeConfig(files, path, directory.config);
      });
    });
    directory.isNew = true;
    return directory;
  }

  /** Makes a directory for a new run under `root`, named after its algorithm and its `label` (default: the environment): `runs/ppo-CartPole-v1-1`, `-2`, … */
  static next(
    config: RunSettings,
    {
      root = "runs",
      label = config.env,
      ...options
    }: DirectoryOptions & { root?: string; label?: string; claimed?: (path: string) => void } = {},
  ): RunDirectory {
    const claim = () => claimName(options.files ?? disk, root, config.algorithm, label);
    const path = making(root, claim);
    return RunDirectory.create(path, config, options);
  }

  /** Opens the directory of a run, to look at it or to go on. One with symbolic links in it is refused. */
  static open(path: string, options: DirectoryOptions = {}): RunDirectory {
    checkRunFolder(path);
    return new RunDirectory(path, readConfig(path), options);
  }

  /** Whether the run that was resumed is finished: no steps and no evaluation are left to do. */
  get isOver(): boolean {
    return this.over;
  }

  /** What the run is. */
  get config(): RunConfig {
    return this.current;
  }

  /** The run's name: that of its directory. */
  get name(): string {
    return basename(this.path);
  }

  /** Writes a row of metrics to `metrics.jsonl` and for TensorBoard. Steps must not fall. */
  log(step: number, metrics: Readonly<Metrics>): void {
    this.guard("writing metrics", () => this.writing().log(step, metrics));
    this.onRow?.(step, metrics);
  }

  /** All rows of metrics so far. */
  metrics(): Row[] {
    return readRows(join(this.path, "metrics.jsonl"), this.warn);
  }

  /** When each row of metrics was written: `at` in seconds since 1970, `seconds` spent on the run so far. */
  times(): Row[] {
    return readRows(join(this.path, "times.jsonl"), this.warn);
  }

  /** Writes the state of a run. Log what was measured up to here before: what is logged later is dropped when the run resumes. */
  checkpoint(run: Keepable): void {
    admit(this.path, this.config, run.options);
    const { steps, options, metrics } = run;
    const score = metrics["return/mean"];
    const head = {
      format: checkpointFormat,
      reins: version(),
      algorithm: options.algorithm.name,
      env: options.env.spec.id,
      steps,
      ...(Number.isFinite(score) ? { score } : {}),
    };
    this.guard("writing a checkpoint", () => {
      const logs = this.writing();
      logs.sync();
      const { config } = this;
      const made = { config: identityOf(config), budget: config.steps, log: logs.written };
      const episodes = this.lastEpisode;
      this.checkpoints.write({ ...head, ...made, episodes }, run.save());
    });
  }

  /** The latest checkpoint that is whole; undefined if there is none. */
  latest(): Checkpoint | undefined {
    return this.fitting(this.checkpoints.latest());
  }

  /** Why there is no checkpoint although there was one; undefined if that is not so. */
  lost(): string | undefined {
    const { path, checkpoints } = this;
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

  /** The checkpoint with the highest mean return, if any was measured. */
  best(): Checkpoint | undefined {
    return this.fitting(this.checkpoints.best());
  }

  /**
   * Restores a run from the latest checkpoint and truncates the logs to it. Returns the step count, or 0 without a checkpoint. Throws
   * and writes nothing if checkpoints exist but none is readable. A new step budget and new options are written to the configuration; a
   * budget that the run has already reached is refused. A finished run is restored without writing ({@link isOver}).
   */
  resume(run: Run, wishes: Wishes = {}): number {
    admit(this.path, this.config, run.options);
    return this.guard("resuming", () =>
      this.holding(() => {
        const found = this.restoreLatest(run);
        const { steps } = run.options;
        const { budget = steps } = found?.head ?? {};
        const asked = wishes.steps !== undefined || steps !== this.config.steps;
        if (asked && found && steps <= found.steps)
          fail(
            this.path,
            `${steps} steps were requested, but it has already taken ${found.steps}. Request more to extend it, or leave the steps out to continue as before.`,
          );
        if (steps === this.config.steps && found && budget !== steps) {
          const instead = budget > found.steps ? ` and resume it with ${budget}` : ", as it was done";
          this.warn(
            `${this.path}: config.json has ${steps} steps; when the checkpoint at step ${found.steps} was written, it had ${budget}. The run continues to ${steps}: unless you extended it, stop it${instead}.`,
          );
        }
        this.over = isOver(run, this.config, wishes, this.summary());
        if (!this.over) {
          this.amend({ ...wishes, steps });
          this.openLogs();
        }
        return found?.steps ?? 0;
      }),
    );
  }

  /**
   * Call it after every round: it logs and writes checkpoints where they are due, by steps alone, and both at the end of the run.
   * Options count at the first call.
   */
  record(run: Run, options?: RecordOptions): void {
    this.recorder ??= new RunRecorder(this, run.options.steps, this.checkpoints.last ?? 0, options);
    this.recorder.after(run);
  }

  /** Keeps an agent, in a file of its own that can be taken elsewhere: the run's last one, or its best. */
  keepAgent(which: KeptAgent, bytes: Uint8Array): void {
    this.guard("writing the agent", () =>
      this.holding(() => replaceFile(this.files, join(this.path, `${which}.agent`), bytes)),
    );
  }

  /** The file of the agent that was kept; undefined if there is none. */
  agentFile(which: KeptAgent): string | undefined {
    const file = join(this.path, `${which}.agent`);
    return existsSync(file) ? file : undefined;
  }

  /** Keeps an episode to look at, with the steps that the run had taken. Returns its number. */
  recordEpisode(episode: Episode, steps = 0): number {
    return this.guard("writing an episode", () =>
      this.holding(() => {
        const number = this.lastEpisode + 1;
        writeEpisode(this.files, this.episodeFolder, number, steps, episode);
        return number;
      }),
    );
  }

  /** The episodes that were kept. */
  episodes(): RecordedEpisode[] {
    const last = Math.max(this.lastEpisode, this.checkpoints.episodes());
    return listEpisodes(this.episodeFolder, this.warn, last);
  }

  /** Notes how the run ended. */
  finish(summary: RunSummary): void {
    this.goesOn = false;
    this.guard("writing the summary", () => this.holding(() => writeSummary(this.files, this.path, summary)));
  }

  /** How the run ended; undefined while it has not. */
  summary(): RunSummary | undefined {
    return readSummary(this.path);
  }

  /** Whether somebody is at it, and if not, how it ended. */
  status(): RunStatus {
    return statusOf(this.path, this.summary());
  }

  /** Writes what is left and gives the directory back. It can be used again: that begins as after `open`. */
  close(): void {
    const { logs, release } = this;
    this.logs = this.release = this.recorder = undefined;
    this.goesOn = this.isNew = this.over = false;
    try {
      if (logs) this.guard("writing metrics", () => logs.close());
    } finally {
      if (release) this.guard("giving the directory back", release);
    }
  }

  /** A checkpoint, if it is one of this run. */
  private fitting(found: Checkpoint | undefined): Checkpoint | undefined {
    if (found) admitConfig(this.path, this.config, found.head, this.warn);
    return found;
  }

  /** The number of the last episode, be it that its file was lost: its number is not given again. */
  private get lastEpisode(): number {
    return Math.max(numbers(this.episodeFolder).at(-1) ?? 0, this.checkpoints.head?.episodes ?? 0);
  }

  private get episodeFolder(): string {
    return join(this.path, "episodes");
  }

  /** Does something while it holds the lock. If that fails, a lock that was taken for it is given back. */
  private holding<T>(action: () => T): T {
    const held = this.release !== undefined;
    if (!held) checkRunFolder(this.path, { writing: true });
    this.release ??= takeLock(this.files, this.path);
    try {
      return action();
    } catch (error) {
      if (!held) this.close();
      throw error;
    }
  }

  /** The logs, for a run that goes on: what was said about its end is not true any more. */
  private writing(): Logs {
    // Open files can be written to long after they were deleted: nothing would ever fail.
    if (!existsSync(join(this.path, "config.json")))
      throw Object.assign(new Error("config.json was removed"), { code: "ENOENT" });
    if (this.logs && this.goesOn) return this.logs;
    return this.holding(() => {
      if (this.checkpoints.last === undefined) this.startingPoint();
      const logs = this.openLogs();
      this.files.rmSync(join(this.path, summaryName), { force: true });
      this.goesOn = true;
      return logs;
    });
  }

  /** Where the run goes on; undefined if that is its beginning. */
  private startingPoint(): Checkpoint | undefined {
    const found = this.latest();
    if (found) return found;
    const lost = this.lost();
    // Beginning again would delete what was logged.
    if (lost !== undefined) fail(this.path, lost);
    return undefined;
  }

  /** Notes what was asked for anew, if anything was. */
  private amend(wishes: Wishes): void {
    const changes = Object.entries(wishes).filter(
      ([name, value]) => value !== undefined && value !== this.current[name],
    );
    if (changes.length === 0) return;
    this.current = { ...this.current, ...Object.fromEntries(changes) };
    writeConfig(this.files, this.path, this.current);
  }

  /** Puts a run back to the latest checkpoint that is whole, with all that it speaks of. */
  private restoreLatest(run: Run): Checkpoint | undefined {
    for (;;) {
      const found = this.startingPoint();
      try {
        if (found) restoreRun(run, found, this.config);
        return found;
      } catch (error) {
        if (!(error instanceof Damaged)) throw error;
        this.checkpoints.reject(found!, error.message);
      }
    }
  }

  /** Opens the logs, cut back to the last checkpoint. */
  private openLogs(): Logs {
    if (this.logs) return this.logs;
    const { files, path, tensorboard, checkpoints, warn } = this;
    const { steps: from, log: known, episodes } = checkpoints.head ?? {};
    removeDrafts(files, path);
    removeDrafts(files, this.episodeFolder);
    checkpoints.tidy();
    if (!this.isNew) cutEpisodes(files, this.episodeFolder, from ?? -1, episodes, warn);
    this.logs = new Logs(path, { files, tensorboard, from, known, warn, began: this.opened });
    return this.logs;
  }

  private guard<T>(doing: string, action: () => T): T {
    const { path, checkpoints } = this;
    const remains = () => ({ intact: checkpoints.intact(), any: checkpoints.wereWritten });
    return guarded(path, doing, action, remains);
  }
}
