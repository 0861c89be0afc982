import { closeSync, openSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";

/** A file of lines that replaces an earlier one only when it is complete. */
export interface Output {
  write(line: string): void;
  /** Replaces the earlier file. */
  finish(): void;
  /** Closes the file, and removes it if it is unfinished; the earlier one stays. */
  close(): void;
}

/** Opens an output file. Pipes and devices are written directly. */
export function openOutput(path: string): Output {
  const before = statSync(path, { throwIfNoEntry: false });
  const target = before ? realpathSync(path) : path;
  const draft = before && !before.isFile() ? undefined : `${target}.${process.pid}.part`;
  if (draft) rmSync(draft, { force: true });
  const fd = openSync(draft ?? path, draft ? "wx" : "w");
  return {
    write: (line) => writeFileSync(fd, line),
    finish() {
      if (draft) renameSync(draft, target);
    },
    close() {
      closeSync(fd);
      if (draft) rmSync(draft, { force: true });
    },
  };
}
