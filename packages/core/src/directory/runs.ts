import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { printable } from "../printable.ts";
import { type RunConfig, readConfig } from "./config.ts";
import { lastRow } from "./last-row.ts";
import { checkRunFolder } from "./plain-files.ts";
import { plainReader, type Reader } from "./reader.ts";
import { type RunStatus, type RunSummary, readSummary, statusOf } from "./summary.ts";

/** One line about a run. */
export interface RunEntry {
  readonly name: string;
  readonly path: string;
  readonly algorithm: string;
  readonly env: string;
  readonly seed: number;
  /** Environment steps taken, as of the last row of metrics. */
  readonly steps: number;
  /** Environment steps to take. */
  readonly budget: number;
  /** The last `return/mean`; NaN before the first episode ended. */
  readonly return: number;
  /** The mean return of the trained agent over fresh episodes; NaN where nobody measured it. */
  readonly fresh: number;
  /** Seconds spent on it: from beginning to end, once it has ended. */
  readonly seconds: number;
  readonly status: RunStatus;
  readonly created: string;
}

/** What the directory of a run says of it. */
export interface RunRecord {
  readonly config: RunConfig;
  /** How it ended; undefined while it has not. */
  readonly summary: RunSummary | undefined;
  readonly entry: RunEntry;
}

/** The runs in a folder, oldest first. What is not a run, or cannot be read, is left out. */
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

/** Reads what the directory of a run says of it, the logs' ends alone. */
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

/** Rows of evaluations, and of settings that were changed, are by themselves: the return is in one before them. */
const lastReturn = (metrics: string, reader: Reader): number =>
  lastRow(metrics, { having: mean, reader })?.[mean] ?? Number.NaN;

/** Where nobody measured an agent, its return is that of training. Older runs do not say which it is: where both are the same, it is taken for that. */
function freshOf(summary: Partial<RunSummary> = {}): number {
  const { return: found, training } = summary;
  const { mean, episodes = 0 } = (found ?? {}) as { mean?: number; episodes?: number };
  const { measured = JSON.stringify(found) !== JSON.stringify(training) } = summary;
  return measured === true && episodes > 0 && typeof mean === "number" ? mean : Number.NaN;
}

/** The return in training: of the last row, or of the end where that came after it. */
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
 * Seconds spent on a run, by its last row of times and what its end says. Rows know nothing of what came before the first and after the last:
 * compiling, measuring. Of a run that went on, the end knows its last part alone.
 */
export const secondsOf = (
  row: { readonly [name: string]: number } | undefined,
  end: RunSummary | undefined,
): number => Math.max(finite(row?.seconds), finite(end?.seconds));

const finite = (x: unknown): number => (Number.isFinite(x) ? (x as number) : 0);
