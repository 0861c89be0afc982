import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Metrics } from "../algorithm.ts";
import { type Files, replaceFile } from "./files.ts";
import { inspectLock } from "./lock.ts";

/** How a run stands: somebody is at it, it was stopped or ended, or its process died. */
export type RunStatus = "running" | "stopped" | "finished" | "crashed";

/** How a run ended. */
export interface RunSummary {
  /** "finished" if absent. */
  readonly status?: Exclude<RunStatus, "running">;
  readonly steps: number;
  readonly metrics?: Readonly<Metrics>;
  /** What went wrong. */
  readonly error?: string;
  readonly [more: string]: unknown;
}

/** The file in a run directory that says how the run ended. */
export const summaryName = "summary.json";

/** Writes `summary.json`. Numbers that JSON lacks become strings. */
export function writeSummary(files: Files, path: string, summary: RunSummary): void {
  const text = JSON.stringify({ status: "finished", ...summary }, (_, x) =>
    typeof x === "number" && !Number.isFinite(x) ? String(x) : x,
  );
  replaceFile(files, join(path, summaryName), `${text}\n`);
}

/** Reads `summary.json`; undefined if there is none. */
export function readSummary(path: string): RunSummary | undefined {
  try {
    const summary = JSON.parse(readFileSync(join(path, summaryName), "utf8")) as RunSummary;
    const metrics = Object.fromEntries(Object.entries(summary.metrics ?? {}).map(([k, v]) => [k, Number(v)]));
    return { ...summary, ...(summary.metrics ? { metrics } : {}) };
  } catch {
    return undefined;
  }
}

/** How the run in a directory stands. */
export function statusOf(path: string): RunStatus {
  const { state } = inspectLock(path);
  if (state === "held") return "running";
  return readSummary(path)?.status ?? (state === "stale" ? "crashed" : "stopped");
}
