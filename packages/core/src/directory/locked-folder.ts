import type { Checkpoints } from "./checkpoints.ts";
import { guarded } from "./failures.ts";
import type { Files } from "./files.ts";
import { takeLock } from "./lock.ts";
import { checkRunFolder } from "./plain-files.ts";

/** The folder of a run, whose lock is taken for the first write and kept until it is released. */
export class LockedFolder {
  readonly path: string;
  readonly files: Files;
  private readonly checkpoints: Checkpoints;
  private readonly abandon: () => void;
  private unlock: (() => void) | undefined;

  /** `abandon` closes what a failed action has opened. */
  constructor(path: string, files: Files, checkpoints: Checkpoints, abandon: () => void) {
    this.path = path;
    this.files = files;
    this.checkpoints = checkpoints;
    this.abandon = abandon;
  }

  /** Runs a function with the lock. If it fails, a lock that was taken for it is released. */
  holding<T>(action: () => T): T {
    const held = this.unlock !== undefined;
    if (!held) checkRunFolder(this.path, { writing: true });
    this.unlock ??= takeLock(this.files, this.path);
    try {
      return action();
    } catch (error) {
      if (!held) this.abandon();
      throw error;
    }
  }

  /** Runs a function; an error of the disk says what it was doing and which checkpoints remain. */
  guard<T>(doing: string, action: () => T): T {
    const { path, checkpoints } = this;
    const remains = () => ({ intact: checkpoints.intact(), any: checkpoints.wereWritten });
    return guarded(path, doing, action, remains);
  }

  /** Releases the lock, if it is held. */
  release(): void {
    const { unlock } = this;
    this.unlock = undefined;
    if (unlock) this.guard("releasing the directory", unlock);
  }
}
