import { closeSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Run } from "@reins/core";
import { access, disk, LogSchedule, openPlain, readPlain, replaceFile } from "@reins/core/directory";

/** Options of a file of texts; the interval has a default. */
export interface LinesKind<T> {
  readonly file: string;
  readonly times: number;
  linesOf(run: Run): readonly T[];
}

/** Writes JSON lines during a run, at steps that depend only on the run: the same run has the same file. */
export class LinesFile<T extends { readonly step: number }> {
  private readonly run: Run;
  private readonly path: string;
  private readonly kind: LinesKind<T>;
  private readonly schedule: LogSchedule;

  constructor(run: Run, folder: string, kind: LinesKind<T>, every: unknown) {
    const { steps } = run.options;
    this.run = run;
    this.kind = kind;
    this.path = join(folder, kind.file);
    const times = typeof every === "number" ? Math.max(1, steps / every) : kind.times;
    this.schedule = new LogSchedule(steps, times);
    this.schedule.resume(run.steps);
    // A resumed run writes lines after its checkpoint again.
    if (!existsSync(this.path)) return;
    const kept = readLines<T>(folder, kind.file).filter((line) => line.step <= run.steps);
    replaceFile(disk, this.path, textOf(kept));
  }

  /** Called after every round. */
  round(): void {
    const { run, schedule, path, kind } = this;
    if (!schedule.due(run.steps)) return;
    const fd = openPlain(path, access.append);
    try {
      writeFileSync(fd, textOf(kind.linesOf(run)));
    } finally {
      closeSync(fd);
    }
  }
}

const textOf = (lines: readonly object[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join("");

/** Reads the lines of a file in order, without torn ones. */
export function readLines<T>(folder: string, file: string): T[] {
  const path = join(folder, file);
  if (!existsSync(path)) return [];
  return new TextDecoder()
    .decode(readPlain(path))
    .split("\n")
    .flatMap((line) => {
      try {
        return [JSON.parse(line) as T];
      } catch {
        return [];
      }
    });
}
