import { promises as fs } from "node:fs";
import { join } from "node:path";
import { metricEntry } from "@reins/core";
import { lastRow, parseRow, RunDirectory } from "@reins/core/directory";
import type { RunsFolder } from "./folder.ts";
import { jsonSafe } from "./json-safe.ts";
import type { RunList } from "./list.ts";
import type { MetricName, RunDetail } from "./wire.ts";

/** All that there is to know of a run, but for its curves. */
export async function detailOf(folder: RunsFolder, list: RunList, name: string): Promise<RunDetail> {
  const line = await list.line(name);
  const path = await folder.pathOf(name);
  const nothing = { config: {}, metrics: [], checkpoints: [], episodes: 0 };
  if (line.state === "unreadable") return { ...line, ...nothing, transcripts: false, reproduce: "" };
  const directory = RunDirectory.open(path, { warn: () => {} });
  const summary = directory.summary();
  return {
    ...line,
    config: jsonSafe(directory.config) as RunDetail["config"],
    ...(summary ? { summary: jsonSafe(summary) as RunDetail["summary"] } : {}),
    metrics: await metricsOf(folder, name),
    checkpoints: await checkpointsIn(path),
    episodes: (await namesIn(join(path, "episodes"))).filter((n) => /^\d+\.json$/.test(n)).length,
    transcripts: (await folder.fileOf(name, "transcripts.jsonl")) !== undefined,
    reproduce: commandOf(directory.config),
  };
}

/** Names of what was measured: some come later than others, so that the first rows and the last are looked at. */
async function metricsOf(folder: RunsFolder, name: string): Promise<MetricName[]> {
  const path = await folder.fileOf(name, "metrics.jsonl");
  if (path === undefined) return [];
  const names = new Set<string>();
  const file = await fs.open(path, "r");
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(1 << 16), 0, 1 << 16, 0);
    for (const line of buffer.toString("utf8", 0, bytesRead).split("\n"))
      for (const metric in parseRow(line)) names.add(metric);
  } finally {
    await file.close();
  }
  for (const metric in lastRow(path)) names.add(metric);
  names.delete("step");
  return [...names].map((metric) => {
    const { about, unit } = metricEntry(metric) ?? {};
    return { name: metric, ...(about ? { about } : {}), ...(unit ? { unit } : {}) };
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

/** Names in a folder; none where it is no folder, or a link. */
async function namesIn(path: string): Promise<string[]> {
  const found = await fs.lstat(path).catch(() => undefined);
  return found?.isDirectory() ? fs.readdir(path) : [];
}

/** The command of a run: as it was typed, or, where a program began it, what is nearest to it. */
function commandOf({ command, algorithm, env, steps, seed }: Readonly<Record<string, unknown>>): string {
  if (typeof command === "string") return command;
  return `reins train ${algorithm} ${env} --steps ${steps} --seed ${seed}`;
}
