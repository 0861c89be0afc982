import { createHash } from "node:crypto";
import { join } from "node:path";
import { lastRow, type RunRecord } from "@reins/core/directory";
import { jsonSafe } from "./json-safe.ts";
import { runReader } from "./plain-files.ts";
import { runSettings } from "./run-settings.ts";
import type { FieldNames, FieldValue } from "./run-wire.ts";
import { settingText } from "./setting-text.ts";

/** Maximum number of settings or metrics listed, since a file may hold anything. */
const mostNames = 5000;
const longestText = 200;

/** Settings and metrics of a run, for filtering, sorting and grouping. */
export interface RunFields {
  readonly settings: ReadonlyMap<string, FieldValue>;
  /** The last values of metrics. */
  readonly metrics: ReadonlyMap<string, FieldValue>;
  /** Equal for runs that differ only in the seed. */
  readonly group: string;
}

/** The settings and last metrics of a run. */
export function fieldsOf({ config, summary, entry }: RunRecord): RunFields {
  const settings = new Map(
    [...runSettings(config)].map(([name, value]) => [name, valueOf(value)] as const).filter(isShort),
  );
  // The summary of a run has its last metrics, which saves opening its log.
  const last = isRecord(summary?.metrics) ? summary.metrics : lastMetrics(entry.path);
  const metrics = Object.entries(last)
    .filter(([name]) => name !== "step")
    .map(([name, value]) => [name, typeof value === "number" ? valueOf(value) : null] as const);
  return { settings, metrics: new Map(metrics.filter(isShort)), group: groupOf(settings) };
}

/** Whether a row is from training: rows of evaluations and changed settings have no return. */
function lastMetrics(path: string): Readonly<Record<string, unknown>> {
  const metrics = join(path, "metrics.jsonl");
  return (
    lastRow(metrics, { having: "return/mean", reader: runReader }) ??
    lastRow(metrics, { reader: runReader }) ??
    {}
  );
}

function groupOf(settings: ReadonlyMap<string, FieldValue>): string {
  const rest = [...settings].filter(([name]) => name !== "seed").sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash("sha256").update(JSON.stringify(rest)).digest("base64url").slice(0, 16);
}

/** The settings and metrics of some runs, and the number of values of each setting. */
export function namesIn(runs: Iterable<RunFields>): FieldNames {
  const settings = new Map<string, Set<FieldValue>>();
  const metrics = new Set<string>();
  for (const run of runs) {
    for (const [name, value] of run.settings) {
      if (!settings.has(name) && settings.size < mostNames) settings.set(name, new Set());
      settings.get(name)?.add(value);
    }
    for (const name of run.metrics.keys()) if (metrics.size < mostNames) metrics.add(name);
  }
  const byName = (a: string, b: string) => (a < b ? -1 : 1);
  return {
    settings: [...settings]
      .map(([name, values]) => ({ name, values: values.size }))
      .sort((a, b) => byName(a.name, b.name)),
    metrics: [...metrics].sort(byName),
  };
}

const valueOf = (value: unknown): FieldValue =>
  typeof value === "number" && Number.isFinite(value)
    ? value
    : settingText(jsonSafe(value)).slice(0, longestText);

const isShort = ([name]: readonly [string, FieldValue]) => name.length <= longestText;

const isRecord = (x: unknown): x is Readonly<Record<string, unknown>> =>
  typeof x === "object" && x !== null && !Array.isArray(x);
