import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Checkpoints } from "./checkpoints.ts";
import { removeDrafts } from "./files.ts";
import type { LockedFolder } from "./locked-folder.ts";
import { Logs } from "./logs.ts";
import type { RunEpisodes } from "./run-episodes.ts";
import { summaryName } from "./summary.ts";

/** What logs are written beside, and how. */
export interface RunLogsParts {
  readonly folder: LockedFolder;
  readonly checkpoints: Checkpoints;
  readonly episodes: RunEpisodes;
  /** Whether to write TensorBoard event files too. */
  readonly tensorboard: boolean;
  readonly warn: (message: string) => void;
}

/** The logs of a run. Opening them removes everything later than the last checkpoint. */
export class RunLogs {
  private readonly parts: RunLogsParts;
  private logs: Logs | undefined;
  /** When this process opened the run, by `performance.now()`. */
  private readonly began = performance.now();
  /** Whether the run did something since it was opened or finished. */
  private goesOn = false;
  /** Whether the run is new, so that no logs are later than a checkpoint. */
  isNew = false;

  constructor(parts: RunLogsParts) {
    this.parts = parts;
  }

  /** The logs of a continuing run, whose old summary is removed. `check` is called if nothing was read from a checkpoint. */
  writing(check: () => void): Logs {
    const { folder, checkpoints } = this.parts;
    const { path, files } = folder;
    // Deleted files that are still open can be written without errors, so their absence is checked here.
    if (!existsSync(join(path, "config.json")))
      throw Object.assign(new Error("config.json was removed"), { code: "ENOENT" });
    if (this.logs && this.goesOn) return this.logs;
    return folder.holding(() => {
      if (checkpoints.last === undefined) check();
      const logs = this.open();
      files.rmSync(join(path, summaryName), { force: true });
      this.goesOn = true;
      return logs;
    });
  }

  /** Opens the logs, truncated to the last checkpoint. */
  open(): Logs {
    if (this.logs) return this.logs;
    const { folder, checkpoints, episodes, tensorboard, warn } = this.parts;
    const { path, files } = folder;
    const { steps: from, log: known } = checkpoints.head ?? {};
    removeDrafts(files, path);
    removeDrafts(files, episodes.folder);
    checkpoints.tidy();
    if (!this.isNew) episodes.cut();
    this.logs = new Logs(path, { files, tensorboard, from, known, warn, began: this.began });
    return this.logs;
  }

  /** Notes that the run has ended: its next row continues it. */
  end(): void {
    this.goesOn = false;
  }

  /** Writes pending rows and closes the files. */
  close(): void {
    const { logs } = this;
    this.logs = undefined;
    this.goesOn = this.isNew = false;
    if (logs) this.parts.folder.guard("writing metrics", () => logs.close());
  }
}
