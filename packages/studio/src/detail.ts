import { promises as fs } from "node:fs";
import { join } from "node:path";
import { metricEntry } from "@reins/core";
import { lastRow } from "@reins/core/directory";
import { namesIn, type RunsFolder } from "./folder.ts";
import { jsonSafe } from "./json-safe.ts";
import type { KnownFiles } from "./known-files.ts";
import type { RunList } from "./list.ts";
import type { RunLog } from "./run-log.ts";
import { runReader } from "./wary.ts";
import type { MetricName, RunDetail } from "./wire.ts";

/** Milliseconds that a log is read for before what is known of it is shown. */
const patience = 1000;

/** What all that is known of runs is made of. */
export interface Sources {
  readonly folder: RunsFolder;
  readonly list: RunList;
  readonly logs: KnownFiles<RunLog>;
}

/** All that there is to know of a run, but for its curves. */
export async function detailOf({ folder, list, logs }: Sources, name: string): Promise<RunDetail> {
  const { line, config, summary } = await list.look(name);
  const path = await folder.pathOf(name);
  const nothing = { config: {}, metrics: [], checkpoints: [], episodes: 0 };
  if (!config) return { ...line, ...nothing, transcripts: false, reproduce: "" };
  return {
    ...line,
    config: jsonSafe(config) as RunDetail["config"],
    ...(summary ? { summary: jsonSafe(summary) as RunDetail["summary"] } : {}),
    metrics: metricsOf((await logs.soon(name, patience)).names, path),
    checkpoints: await checkpointsIn(path),
    episodes: (await namesIn(join(path, "episodes"))).filter((n) => /^\d+\.json$/.test(n)).length,
    transcripts: await folder.has(name, "transcripts.jsonl"),
    reproduce: commandOf(config),
  };
}

/** What was measured, as far as the log was read; the last row has most of it in any case. */
function metricsOf(names: ReadonlySet<string>, path: string): MetricName[] {
  const { step: _, ...last } = lastRow(join(path, "metrics.jsonl"), { reader: runReader }) ?? { step: 0 };
  return [...new Set([...names, ...Object.keys(last)])].map((name) => {
    const { about, unit } = metricEntry(name) ?? {};
    return { name, ...(about ? { about } : {}), ...(unit ? { unit } : {}) };
  });
}

async function checkpointsIn(path: string): Promise<RunDetail["checkpoints"]> {
  const folder = join(path, "checkpoints");
  const found: { steps: number; bytes: number }[] = [];
  for (const name of await namesIn(folder)) {
    if (!/^\d+$/.test(name)) continue;
    let bytes = 0;
    for (const file of await namesIn(join(folder, name)))
      bytes += (await fs.lstat(join(folder, name, file)).catch(() => undefined))?.size ?? 0;
    found.push({ steps: Number(name), bytes });
  }
  return found.sort((a, b) => a.steps - b.steps);
}

/** The command of a run: as it was typed, or, where a program began it, what is nearest to it. */
function commandOf({ command, algorithm, env, steps, seed }: Readonly<Record<string, unknown>>): string {
  if (typeof command === "string") return command;
  return `reins train ${algorithm} ${env} --steps ${steps} --seed ${seed}`;
}
