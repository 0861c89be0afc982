import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import type { Metrics } from "../algorithm.ts";
import type { Episode } from "../episode.ts";
import { checkKeys, fail } from "../errors.ts";
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
import type { RecordedEpisode } from "./episodes.ts";
import { making } from "./failures.ts";
import { disk, type Files, makeFolder, replaceFile } from "./files.ts";
import { identityOf } from "./identity.ts";
import { type Row, readRows } from "./lines.ts";
import { LockedFolder } from "./locked-folder.ts";
import type { Logs } from "./logs.ts";
import { admit } from "./mismatch.ts";
import { type DirectoryOptions, type Keepable, type StoredAgent, warnPlainly } from "./options.ts";
import { checkRunFolder } from "./plain-files.ts";
import { type RecordOptions, RunRecorder } from "./recorder.ts";
import { RunEpisodes } from "./run-episodes.ts";
import { RunLogs } from "./run-logs.ts";
import {
  type ContinuedRun,
  checkBudget,
  fitting,
  lostCheckpoints,
  restoreLatest,
  startingPoint,
} from "./starting-point.ts";
import { isOver, type RunStatus, type RunSummary, readSummary, statusOf, writeSummary } from "./summary.ts";

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
  private readonly checkpoints: Checkpoints;
  private readonly folder: LockedFolder;
  private readonly recorded: RunEpisodes;
  private readonly logs: RunLogs;
  private recorder: RunRecorder | undefined;
  /** Listeners for written rows. */
  onRow: ((step: number, metrics: Readonly<Metrics>) => void) | undefined;
  private over = false;

  private constructor(path: string, config: RunConfig, options: DirectoryOptions) {
    checkKeys(path, options, ["keep", "tensorboard", "warn", "files", "overwrite", "claimed"]);
    const { keep = 2, tensorboard = true, warn = warnPlainly, files = disk } = options;
    if (!(keep >= 1)) fail(path, `keep is ${keep}; at least 1 checkpoint must be kept.`);
    this.path = path;
    this.current = config;
    this.files = files;
    this.warn = warn;
    const checkpoints = new Checkpoints(join(path, "checkpoints"), files, keep, warn);
    const folder = new LockedFolder(path, files, checkpoints, () => this.close());
    const episodes = new RunEpisodes(path, files, checkpoints, warn);
    this.checkpoints = checkpoints;
    this.folder = folder;
    this.recorded = episodes;
    this.logs = new RunLogs({ folder, checkpoints, episodes, tensorboard, warn });
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
      directory.folder.holding(() => {
        // Checked again with the lock: another process may have created a run here in between.
        checkFolder(path, options.overwrite ?? false);
        clearFolder(files, path);
        // Created at once, so that its absence means that it was lost.
        files.mkdirSync(directory.checkpoints.folder);
        options.claimed?.(path);
        writeConfig(files, path, directory.config);
      });
    });
    directory.logs.isNew = true;
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
    this.folder.guard("writing metrics", () => this.writing().log(step, metrics));
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
    this.folder.guard("writing a checkpoint", () => {
      const logs = this.writing();
      logs.sync();
      const { config } = this;
      const made = { config: identityOf(config), budget: config.steps, log: logs.written };
      this.checkpoints.write({ ...head, ...made, episodes: this.recorded.last }, run.save());
    });
  }

  /** The latest intact checkpoint; undefined if there is none. */
  latest(): Checkpoint | undefined {
    return fitting(this.continued, this.checkpoints.latest());
  }

  /** Why checkpoints are missing although some were written; undefined otherwise. */
  lost(): string | undefined {
    return lostCheckpoints(this.continued);
  }

  /** The checkpoint with the highest mean return, if any. */
  best(): Checkpoint | undefined {
    return fitting(this.continued, this.checkpoints.best());
  }

  /**
   * Restores a run from the latest checkpoint and truncates the logs to it. Returns the step count, or 0 without a checkpoint. Throws
   * and writes nothing if checkpoints exist but none is readable. A new step budget and new options are written to the configuration; a
   * budget that the run has already reached is refused. A finished run is restored without writing ({@link isOver}).
   */
  resume(run: Run, wishes: ResumeOptions = {}): number {
    admit(this.path, this.config, run.options);
    return this.folder.guard("resuming", () =>
      this.folder.holding(() => {
        const found = restoreLatest(run, this.continued);
        const { steps } = run.options;
        if (found) checkBudget(this.continued, steps, found, wishes);
        this.over = isOver(run, this.config, wishes, this.summary());
        if (!this.over) {
          this.amend({ ...wishes, steps });
          this.logs.open();
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
    this.folder.guard("writing the agent", () =>
      this.folder.holding(() => replaceFile(this.files, join(this.path, `${which}.agent`), bytes)),
    );
  }

  /** The file of a saved agent; undefined if there is none. */
  agentFile(which: StoredAgent): string | undefined {
    const file = join(this.path, `${which}.agent`);
    return existsSync(file) ? file : undefined;
  }

  /** Saves an episode, with the current steps of the run. Returns its number. */
  recordEpisode(episode: Episode, steps = 0): number {
    return this.folder.guard("writing an episode", () =>
      this.folder.holding(() => this.recorded.add(episode, steps)),
    );
  }

  /** The saved episodes. */
  episodes(): RecordedEpisode[] {
    return this.recorded.list();
  }

  /** Writes the summary of the run. */
  finish(summary: RunSummary): void {
    this.logs.end();
    this.folder.guard("writing the summary", () =>
      this.folder.holding(() => writeSummary(this.files, this.path, summary)),
    );
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
    this.recorder = undefined;
    this.over = false;
    try {
      this.logs.close();
    } finally {
      this.folder.release();
    }
  }

  private get continued(): ContinuedRun {
    const { path, config, checkpoints, warn } = this;
    return { path, config, checkpoints, warn };
  }

  private writing(): Logs {
    return this.logs.writing(() => startingPoint(this.continued));
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
}
