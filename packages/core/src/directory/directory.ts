import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import type { Metrics } from "../algorithm.ts";
import type { Episode } from "../episode.ts";
import { checkKeys, DamagedDataError, fail } from "../errors.ts";
import { printable } from "../printable.ts";
import type { Run } from "../run.ts";
import { checkpointFormat } from "./checkpoint.ts";
import { type Checkpoint, Checkpoints } from "./checkpoints.ts";
import { checkFolder, claimName, clearFolder } from "./claim.ts";
import {
  configOf,
  type ResumeOptions,
  type RunConfig,
  type RunSettings,
  readConfig,
  version,
  writeConfig,
} from "./config.ts";
import { cutEpisodes, listEpisodes, numbers, type RecordedEpisode, writeEpisode } from "./episodes.ts";
import { guarded, making } from "./failures.ts";
import { disk, type Files, makeFolder, removeDrafts, replaceFile } from "./files.ts";
import { checkConfig, identityOf } from "./identity.ts";
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

/** Options of a run directory. */
export interface DirectoryOptions {
  /** Checkpoints to keep, beside the best one. More go back further and take more space (1 to 10). */
  readonly keep?: number;
  /** Whether to write TensorBoard event files too. */
  readonly tensorboard?: boolean;
  /** Called with warnings about damage. */
  readonly warn?: (message: string) => void;
  /** The disk; tests pass one that fails. */
  readonly files?: Files;
}

/** Warnings quote the content of files. */
const warnPlainly = (message: string): void => console.warn(printable(message));

/** Agents that a directory stores beside its checkpoints: the last one, and the best evaluated one. */
export type StoredAgent = "last" | "best";

/** The part of a run that a checkpoint needs; every {@link Run} has it. */
export type Keepable = Pick<Run, "steps" | "metrics" | "save"> & {
  readonly options: {
    readonly algorithm: { readonly name: string };
    readonly env: { readonly spec: { readonly id: string } };
  };
};

/**
 * The directory of a run: its configuration, metrics, checkpoints and episodes. Reading does not affect other processes. The first write
 * takes the directory's lock and removes logs after the last checkpoint, since the run continues from there and logs them again.
 */
export class RunDirectory {
  /** Its path. */
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
  /** Listeners for written rows. */
  onRow: ((step: number, metrics: Readonly<Metrics>) => void) | undefined;
  /** Whether the run did something since it was opened or finished. */
  private goesOn = false;
  /** Whether the run is new, so that no logs are later than a checkpoint. */
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
   * Creates a directory for a new run and locks it. A directory with a run is refused, unless `overwrite` deletes it. `claimed` is
   * called with the path before the run exists.
   */
  static create(
    path: string,
    config: RunSettings,
    options: DirectoryOptions & { overwrite?: boolean; claimed?: (path: string) => void } = {},
  ): RunDirectory {
    const directory = new RunDirectory(path, configOf(config), options);
    const { files } = directory;
    making(path, () => {
      checkFolder(path, options.overwrite ?? false);
      makeFolder(files, path);
      directory.holding(() => {
        // Checked again with the lock: another process may have created a run here in between.
        checkFolder(path, options.overwrite ?? false);
        clearFolder(files, path);
        // Created at once, so that its absence means that it was lost.
        files.mkdirSync(directory.checkpoints.folder);
        options.claimed?.(path);
        writeConfig(files, path, directory.config);
      });
    });
    directory.isNew = true;
    return directory;
  }

  /** Creates a directory for a new run under `root`, named after its algorithm and its `label` (default: the environment): `runs/ppo-CartPole-v1-1`, `-2`, … */
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

  /** Opens the directory of a run, to read or resume it. A directory that contains symbolic links is refused. */
  static open(path: string, options: DirectoryOptions = {}): RunDirectory {
    checkRunFolder(path);
    return new RunDirectory(path, readConfig(path), options);
  }

  /** Whether the resumed run is finished: no steps and no evaluation are left. */
  get isOver(): boolean {
    return this.over;
  }

  /** The configuration of the run. */
  get config(): RunConfig {
    return this.current;
  }

  /** The run's name: that of its directory. */
  get name(): string {
    return basename(this.path);
  }

  /** Writes a row of metrics to `metrics.jsonl` and for TensorBoard. Steps must not decrease. */
  log(step: number, metrics: Readonly<Metrics>): void {
    this.guard("writing metrics", () => this.writing().log(step, metrics));
    this.onRow?.(step, metrics);
  }

  /** All rows of metrics so far. */
  metrics(): Row[] {
    return readRows(join(this.path, "metrics.jsonl"), this.warn);
  }

  /** Time of each row of metrics: `at` in seconds since 1970, `seconds` spent on the run so far. */
  times(): Row[] {
    return readRows(join(this.path, "times.jsonl"), this.warn);
  }

  /** Writes the state of a run. Log earlier metrics first: rows logged later are dropped when the run resumes. */
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

  /** The latest intact checkpoint; undefined if there is none. */
  latest(): Checkpoint | undefined {
    return this.fitting(this.checkpoints.latest());
  }

  /** Why checkpoints are missing although some were written; undefined otherwise. */
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

  /** The checkpoint with the highest mean return, if any. */
  best(): Checkpoint | undefined {
    return this.fitting(this.checkpoints.best());
  }

  /**
   * Restores a run from the latest checkpoint and truncates the logs to it. Returns the step count, or 0 without a checkpoint. Throws
   * and writes nothing if checkpoints exist but none is readable. A new step budget and new options are written to the configuration; a
   * budget that the run has already reached is refused. A finished run is restored without writing ({@link isOver}).
   */
  resume(run: Run, wishes: ResumeOptions = {}): number {
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
   * Call it after every round: it logs and writes checkpoints when they are due, by steps only, and both at the end of the run.
   * Options take effect at the first call.
   */
  record(run: Run, options?: RecordOptions): void {
    this.recorder ??= new RunRecorder(this, run.options.steps, this.checkpoints.last ?? 0, options);
    this.recorder.after(run);
  }

  /** Saves an agent in a portable file: the run's last one, or its best. */
  keepAgent(which: StoredAgent, bytes: Uint8Array): void {
    this.guard("writing the agent", () =>
      this.holding(() => replaceFile(this.files, join(this.path, `${which}.agent`), bytes)),
    );
  }

  /** The file of a saved agent; undefined if there is none. */
  agentFile(which: StoredAgent): string | undefined {
    const file = join(this.path, `${which}.agent`);
    return existsSync(file) ? file : undefined;
  }

  /** Saves an episode, with the current steps of the run. Returns its number. */
  recordEpisode(episode: Episode, steps = 0): number {
    return this.guard("writing an episode", () =>
      this.holding(() => {
        const number = this.lastEpisode + 1;
        writeEpisode(this.files, { folder: this.episodeFolder, number, steps, episode });
        return number;
      }),
    );
  }

  /** The saved episodes. */
  episodes(): RecordedEpisode[] {
    const last = Math.max(this.lastEpisode, this.checkpoints.episodes());
    return listEpisodes(this.episodeFolder, this.warn, last);
  }

  /** Writes the summary of the run. */
  finish(summary: RunSummary): void {
    this.goesOn = false;
    this.guard("writing the summary", () => this.holding(() => writeSummary(this.files, this.path, summary)));
  }

  /** The summary of the run; undefined while it has not ended. */
  summary(): RunSummary | undefined {
    return readSummary(this.path);
  }

  /** The state of the run: in progress, or how it ended. */
  status(): RunStatus {
    return statusOf(this.path, this.summary());
  }

  /** Writes pending data and releases the directory. It can be used again, as after `open`. */
  close(): void {
    const { logs, release } = this;
    this.logs = this.release = this.recorder = undefined;
    this.goesOn = this.isNew = this.over = false;
    try {
      if (logs) this.guard("writing metrics", () => logs.close());
    } finally {
      if (release) this.guard("releasing the directory", release);
    }
  }

  /** Checks that a checkpoint belongs to this run. */
  private fitting(found: Checkpoint | undefined): Checkpoint | undefined {
    if (found) checkConfig(this.path, this.config, found.head, this.warn);
    return found;
  }

  /** Number of the last episode, even if its file was lost: numbers are not reused. */
  private get lastEpisode(): number {
    return Math.max(numbers(this.episodeFolder).at(-1) ?? 0, this.checkpoints.head?.episodes ?? 0);
  }

  private get episodeFolder(): string {
    return join(this.path, "episodes");
  }

  /** Runs a function with the lock. If it fails, a lock that was taken for it is released. */
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

  /** The logs of a continuing run, whose old summary is removed. */
  private writing(): Logs {
    // Deleted files that are still open can be written without errors, so their absence is checked here.
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

  /** The step from which the run continues; undefined at its beginning. */
  private startingPoint(): Checkpoint | undefined {
    const found = this.latest();
    if (found) return found;
    const lost = this.lost();
    // Starting over would delete the logs.
    if (lost !== undefined) fail(this.path, lost);
    return undefined;
  }

  /** Writes changed options to the configuration. */
  private amend(wishes: ResumeOptions): void {
    const changes = Object.entries(wishes).filter(
      ([name, value]) => value !== undefined && value !== this.current[name],
    );
    if (changes.length === 0) return;
    this.current = { ...this.current, ...Object.fromEntries(changes) };
    writeConfig(this.files, this.path, this.current);
  }

  /** Restores a run from the latest checkpoint that is intact with all files that it refers to. */
  private restoreLatest(run: Run): Checkpoint | undefined {
    for (;;) {
      const found = this.startingPoint();
      try {
        if (found) restoreRun(run, found, this.config);
        return found;
      } catch (error) {
        if (!(error instanceof DamagedDataError)) throw error;
        this.checkpoints.reject(found!, error.message);
      }
    }
  }

  /** Opens the logs, truncated to the last checkpoint. */
  private openLogs(): Logs {
    if (this.logs) return this.logs;
    const { files, path, tensorboard, checkpoints, warn } = this;
    const { steps: from, log: known, episodes } = checkpoints.head ?? {};
    removeDrafts(files, path);
    removeDrafts(files, this.episodeFolder);
    checkpoints.tidy();
    if (!this.isNew)
      cutEpisodes(files, { folder: this.episodeFolder, steps: from ?? -1, last: episodes, warn });
    this.logs = new Logs(path, { files, tensorboard, from, known, warn, began: this.opened });
    return this.logs;
  }

  private guard<T>(doing: string, action: () => T): T {
    const { path, checkpoints } = this;
    const remains = () => ({ intact: checkpoints.intact(), any: checkpoints.wereWritten });
    return guarded(path, doing, action, remains);
  }
}
