import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A temporary folder with subfolders. It is removed when the program ends. */
export interface Scratch {
  readonly path: string;
  /** A new empty folder below it. */
  fresh(stem: string): string;
  remove(path: string): void;
  close(): void;
}

/** Makes a temporary folder. */
export function scratch(): Scratch {
  const path = mkdtempSync(join(tmpdir(), "reins-faults-"));
  // Where runs record trust decisions: separate from the user's own.
  process.env.REINS_STATE = join(path, "state");
  let made = 0;
  const remove = (what: string) => rmSync(what, { recursive: true, force: true, maxRetries: 3 });
  const close = () => {
    process.off("exit", close);
    remove(path);
  };
  process.on("exit", close);
  return {
    path,
    fresh: (stem) => {
      const folder = join(path, `${stem}-${++made}`);
      mkdirSync(folder);
      return folder;
    },
    remove,
    close,
  };
}
