import { readdirSync } from "node:fs";
import { join } from "node:path";
import { RunDirectory } from "./directory.ts";
import { lastRow } from "./lines.ts";
import type { RunStatus, RunSummary } from "./summary.ts";

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

/** The runs in a folder, oldest first. What is not a run, or cannot be read, is left out. */
export function listRuns(root = "runs", warn: (message: string) => void = console.warn): RunEntry[] {
  let names: string[] = [];
  try {
    names = readdirSync(root);
  } catch {}
  const found: RunEntry[] = [];
  for (const name of names) {
    const path = join(root, name);
    if (!isRun(path)) continue;
    try {
      found.push(runEntry(path, warn));
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

/** One line about the run in a directory, which must hold one. */
export function runEntry(path: string, warn: (message: string) => void = console.warn): RunEntry {
  const directory = RunDirectory.open(path, { warn });
  const { name, config } = directory;
  const row = lastRow(join(path, "metrics.jsonl"));
  const summary = directory.summary();
  return {
    name,
    path,
    algorithm: config.algorithm,
    env: config.env,
    seed: config.seed,
    steps: Math.max(row?.step ?? 0, summary?.steps ?? 0),
    budget: config.steps,
    return: row?.["return/mean"] ?? Number.NaN,
    fresh: freshOf(summary),
    seconds: secondsOf(lastRow(join(path, "times.jsonl")), summary),
    status: directory.status(),
    created: config.created,
  };
}

/** Where nobody measured an agent, its return is that of training. */
function freshOf({ return: found, training }: Partial<RunSummary> = {}): number {
  const { mean, episodes = 0 } = (found ?? {}) as { mean?: number; episodes?: number };
  const measured = episodes > 0 && JSON.stringify(found) !== JSON.stringify(training);
  return measured ? Number(mean) : Number.NaN;
}

/**
 * Seconds spent on a run, by its last row of times and what its end says. Rows know nothing of what came before the first and after the last:
 * compiling, measuring. Of a run that went on, the end knows its last part alone.
 */
export const secondsOf = (
  row: { readonly [name: string]: number } | undefined,
  end: RunSummary | undefined,
): number => Math.max(row?.seconds ?? 0, Number(end?.seconds ?? 0));
