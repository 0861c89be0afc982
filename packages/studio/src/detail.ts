import { promises as fs } from "node:fs";
import { basename, join, relative } from "node:path";
import { lastRow } from "@reins/core/directory";
import { metricEntry } from "@reins/core/metrics";
import { recordedIn } from "./episode-runs.ts";
import { namesIn, type RunsFolder } from "./folder.ts";
import { jsonSafe } from "./json-safe.ts";
import type { KnownFiles } from "./known-files.ts";
import type { RunList } from "./list.ts";
import { runReader } from "./plain-files.ts";
import type { RunLog } from "./run-log.ts";
import type { MetricName, RunDetail } from "./run-wire.ts";
import { shellQuote } from "./shell-quote.ts";

/** Milliseconds to read a log before a partial result is sent. */
const patience = 1000;

/** Sources of the details of runs. */
export interface Sources {
  readonly folder: RunsFolder;
  readonly list: RunList;
  readonly logs: KnownFiles<RunLog>;
}

/** The details of a run, without its curves. */
export async function detailOf({ folder, list, logs }: Sources, name: string): Promise<RunDetail> {
  const { line, config, summary } = await list.look(name);
  const path = await folder.pathOf(name);
  const nothing = { config: {}, metrics: [], checkpoints: [], episodes: 0 };
  if (!config) return { ...line, ...nothing, transcripts: false };
  const checkpoints = await checkpointsIn(path);
  const isKept = checkpoints.length > 0 || (await folder.has(name, "last.agent"));
  return {
    ...line,
    config: jsonSafe(config) as RunDetail["config"],
    ...(summary ? { summary: jsonSafe(summary) as RunDetail["summary"] } : {}),
    metrics: metricsOf((await logs.soon(name, patience)).names, path),
    checkpoints,
    episodes: (await recordedIn(path)).length,
    transcripts: await folder.has(name, "transcripts.jsonl"),
    ...(typeof config.command === "string" ? { reproduce: config.command } : {}),
    ...(isKept ? { goOn: goOnBy(path, checkpoints.length > 0) } : {}),
  };
}

/** The metrics of a run, as far as its log was read, and those of the last row. */
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

/** The command that resumes a run from its checkpoints, or from its agent if the environment cannot be saved. */
function goOnBy(path: string, hasCheckpoints: boolean): string {
  const near = relative("", path);
  if (!hasCheckpoints) return `npx reins train --from ${shellQuote(join(near, "last.agent"))}`;
  // `reins resume` finds runs in `runs/` by name.
  return `npx reins resume ${shellQuote(near === join("runs", basename(path)) ? basename(path) : near)}`;
}
