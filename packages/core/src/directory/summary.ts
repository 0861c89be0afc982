import { join } from "node:path";
import type { Metrics } from "../algorithm.ts";
import type { Run } from "../run.ts";
import type { ResumeOptions, RunConfig } from "./config.ts";
import { type Files, replaceFile } from "./files.ts";
import { inspectLock } from "./lock.ts";
import { plainReader, type Reader } from "./reader.ts";

/** State of a run: in progress, stopped or ended, or its process died. */
export type RunStatus = "running" | "stopped" | "finished" | "crashed";

/** How a run ended. */
export interface RunSummary {
  /** "finished" if absent. */
  readonly status?: Exclude<RunStatus, "running">;
  readonly steps: number;
  readonly metrics?: Readonly<Metrics>;
  /** Why it ended: the budget was spent, the environment was solved, or it was stopped. */
  readonly ended?: unknown;
  /** Error message. */
  readonly error?: string;
  /** Further notes. */
  readonly notes?: readonly string[];
  readonly [more: string]: unknown;
}

/** Name of the summary file in a run directory. */
export const summaryName = "summary.json";

/** Writes `summary.json`. NaN and infinities, which JSON lacks, are null. */
export function writeSummary(files: Files, path: string, summary: RunSummary): void {
  const text = JSON.stringify({ status: "finished", ...summary });
  replaceFile(files, join(path, summaryName), `${text}\n`);
}

const isRecord = (x: unknown) => typeof x === "object" && x !== null && !Array.isArray(x);
const isText = (x: unknown) => typeof x === "string";
/** Valid values of a summary's words. */
const kinds: { readonly [name: string]: (x: unknown) => boolean } = {
  status: (x) => x === "stopped" || x === "finished" || x === "crashed",
  steps: Number.isFinite,
  seconds: Number.isFinite,
  metrics: isRecord,
  error: isText,
  notes: (x) => Array.isArray(x) && x.every(isText),
};

/** Reads `summary.json`; undefined if there is none. Invalid fields are left out. */
export function readSummary(path: string, reader: Reader = plainReader): RunSummary | undefined {
  let found: object;
  try {
    found = JSON.parse(reader.text(join(path, summaryName))) as object;
  } catch {
    return undefined;
  }
  if (!isRecord(found)) return undefined;
  const right = Object.entries(found).filter(([name, x]) => !Object.hasOwn(kinds, name) || kinds[name](x));
  const { metrics, return: measured, training, ...rest }: Partial<RunSummary> = Object.fromEntries(right);
  return {
    ...rest,
    ...(isRecord(measured) ? { return: numbersIn(measured as object) } : {}),
    ...(isRecord(training) ? { training: numbersIn(training as object) } : {}),
    steps: rest.steps ?? 0,
    ...(metrics ? { metrics: numbersIn(metrics) } : {}),
  };
}

/** Numbers by name. A number that is not finite is null, and was a string in older files. */
const numbersIn = (record: object): Metrics =>
  Object.fromEntries(
    Object.entries(record).map(([name, x]) => [
      name,
      x === null || typeof x === "object" ? Number.NaN : Number(x),
    ]),
  );

/** Whether a run at its latest checkpoint is finished: no steps are left, and the number of evaluation episodes is the same. */
export function isOver(
  run: Run,
  config: RunConfig,
  { solved = config.solved, evalEpisodes = config.evalEpisodes }: ResumeOptions,
  summary: RunSummary | undefined,
): boolean {
  if (summary?.status !== "finished" || evalEpisodes !== config.evalEpisodes) return false;
  return run.finished || (solved === true && summary.ended === "solved");
}

/** State of the run in a directory with this summary. */
export function statusOf(
  path: string,
  summary: RunSummary | undefined,
  reader: Reader = plainReader,
): RunStatus {
  const { state } = inspectLock(path, reader);
  if (state === "held") return "running";
  return summary?.status ?? (state === "stale" ? "crashed" : "stopped");
}
