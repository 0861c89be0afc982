import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { printable } from "../printable.ts";
import { type RunConfig, readConfig } from "./config.ts";
import { lastRow } from "./last-row.ts";
import { checkRunFolder } from "./plain-files.ts";
import { plainReader, type Reader } from "./reader.ts";
import { type RunStatus, type RunSummary, readSummary, statusOf } from "./summary.ts";

/** Summary of a run for lists. */
export interface RunEntry {
  readonly name: string;
  readonly path: string;
  readonly algorithm: string;
  readonly env: string;
  readonly seed: number;
  /** Environment steps so far, as of the last row of metrics. */
  readonly steps: number;
  /** Total environment steps. */
  readonly budget: number;
  /** The last `return/mean`; NaN before the first episode ends. */
  readonly return: number;
  /** Mean return of the trained agent over evaluation episodes; NaN without an evaluation. */
  readonly fresh: number;
  /** Seconds spent on it, in total once it has ended. */
  readonly seconds: number;
  readonly status: RunStatus;
  readonly created: string;
}

/** A run as described by its directory. */
export interface RunRecord {
  readonly config: RunConfig;
  /** Its summary; undefined while it has not ended. */
  readonly summary: RunSummary | undefined;
  readonly entry: RunEntry;
}

/** The runs in a folder, oldest first. Other and unreadable folders are left out. */
export function listRuns(
  root = "runs",
  warn: (message: string) => void = (message) => console.warn(printable(message)),
): RunEntry[] {
  let names: string[] = [];
  try {
    names = readdirSync(root);
  } catch {}
  const found: RunEntry[] = [];
  for (const name of names) {
    const path = join(root, name);
    if (!isRun(path)) continue;
    try {
      checkRunFolder(path);
      found.push(readRun(path).entry);
    } catch (error) {
      warn((error as Error).message);
    }
  }
  return found.sort((a, b) => (a.created < b.created ? -1 : a.created > b.created ? 1 : 0));
}

function isRun(path: string): boolean {
  try {
    return readdirSync(path).includes("config.json");
  } catch {
    return false;
  }
}

/** Reads the description of a run from its directory; only the ends of logs are read. */
export function readRun(path: string, reader: Reader = plainReader): RunRecord {
  const config = readConfig(path, reader);
  const summary = readSummary(path, reader);
  const metrics = join(path, "metrics.jsonl");
  const last = lastRow(metrics, { reader });
  const { algorithm, env, seed, created } = config;
  const entry: RunEntry = {
    ...{ name: basename(path), path, algorithm, env, seed },
    steps: Math.max(last?.step ?? 0, summary?.steps ?? 0),
    budget: config.steps,
    return: returnIn(last, summary, () => lastReturn(metrics, reader)),
    fresh: freshOf(summary),
    seconds: secondsOf(lastRow(join(path, "times.jsonl"), { reader }), summary),
    status: statusOf(path, summary, reader),
    created: typeof created === "string" ? created : "",
  };
  return { config, summary, entry };
}

const mean = "return/mean";

/** Evaluations and changed settings have their own rows, so the return may be in an earlier row. */
const lastReturn = (metrics: string, reader: Reader): number =>
  lastRow(metrics, { having: mean, reader })?.[mean] ?? Number.NaN;

/** Without an evaluation, the return is that of training. Older runs do not record which it is: if both are equal, it counts as that of training. */
function freshOf(summary: Partial<RunSummary> = {}): number {
  const { return: found, training } = summary;
  const { mean, episodes = 0 } = (found ?? {}) as { mean?: number; episodes?: number };
  const { measured = JSON.stringify(found) !== JSON.stringify(training) } = summary;
  return measured === true && episodes > 0 && typeof mean === "number" ? mean : Number.NaN;
}

/** Return in training: of the last row, or of the summary if that is later. */
function returnIn(
  last: ReturnType<typeof lastRow>,
  summary: RunSummary | undefined,
  before: () => number,
): number {
  const { mean: ended = Number.NaN } = (summary?.training ?? {}) as { mean?: number };
  if (summary && summary.steps > (last?.step ?? 0) && Number.isFinite(ended)) return ended;
  return last ? (last[mean] ?? before()) : Number.NaN;
}

/**
 * Seconds spent on a run, from its last row of times and its summary. Rows exclude the time before the first and after the last,
 * such as compilation and evaluation. The summary of a resumed run covers only its last part.
 */
export const secondsOf = (
  row: { readonly [name: string]: number } | undefined,
  end: RunSummary | undefined,
): number => Math.max(finite(row?.seconds), finite(end?.seconds));

const finite = (x: unknown): number => (Number.isFinite(x) ? (x as number) : 0);
