import { createHash } from "node:crypto";
import { join } from "node:path";
import { lastRow, type RunRecord } from "@reins/core/directory";
import { jsonSafe } from "./json-safe.ts";
import { runReader } from "./plain-files.ts";
import { runSettings } from "./run-settings.ts";
import { settingText } from "./setting-text.ts";
import type { FieldNames, FieldValue } from "./wire.ts";

/** Most names of settings or metrics that are listed: a file may hold anything. */
const mostNames = 5000;
const longestText = 200;

/** Settings and metrics of a run, by which runs are filtered, sorted and grouped. */
export interface RunFields {
  readonly settings: ReadonlyMap<string, FieldValue>;
  /** The values in the last row of metrics. */
  readonly metrics: ReadonlyMap<string, FieldValue>;
  /** The same for runs that differ in the seed alone. */
  readonly group: string;
}

/** The settings and the last metrics of a run. */
export function fieldsOf({ config, summary, entry }: RunRecord): RunFields {
  const settings = new Map(
    [...runSettings(config)].map(([name, value]) => [name, valueOf(value)] as const).filter(isShort),
  );
  // The end of a run has its last metrics, which saves opening its log.
  const last = isRecord(summary?.metrics) ? summary.metrics : lastMetrics(entry.path);
  const metrics = Object.entries(last)
    .filter(([name]) => name !== "step")
    .map(([name, value]) => [name, typeof value === "number" ? valueOf(value) : null] as const);
  return { settings, metrics: new Map(metrics.filter(isShort)), group: groupOf(settings) };
}

/** Rows of evaluations, and of settings that were changed, hold nothing else: a row of training has the return. */
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

/** Which settings and metrics some runs have, and how many values each setting takes. */
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
