import { promises as fs } from "node:fs";
import { join } from "node:path";
import { readEpisode } from "@reins/core/directory";
import type { RunsFolder } from "./folder.ts";
import { jsonSafe } from "./json-safe.ts";
import { Refusal } from "./refusal.ts";
import type { EpisodeData, EpisodeLine } from "./wire.ts";

/** The episodes of a run, by number; only the beginnings of their files are read. */
export async function episodesOf(folder: RunsFolder, name: string): Promise<EpisodeLine[]> {
  const path = join(await folder.pathOf(name), "episodes");
  const stat = await fs.lstat(path).catch(() => undefined);
  if (!stat?.isDirectory()) return [];
  const numbers = (await fs.readdir(path))
    .filter((n) => /^\d+\.json$/.test(n))
    .map((n) => Number.parseInt(n, 10));
  const found: EpisodeLine[] = [];
  for (const number of numbers.sort((a, b) => a - b)) {
    const line = await headOf(folder, name, number).catch(() => undefined);
    if (line) found.push(line);
  }
  return found;
}

async function headOf(folder: RunsFolder, name: string, number: number): Promise<EpisodeLine | undefined> {
  const path = await folder.fileOf(name, "episodes", `${number}.json`);
  if (path === undefined) return undefined;
  const file = await fs.open(path, "r");
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4096), 0, 4096, 0);
    const text = buffer.toString("utf8", 0, bytesRead);
    const head = JSON.parse(`${text.slice(0, text.indexOf(',"episodes":'))}}`) as Record<string, unknown>;
    const { steps, length, return: total } = head;
    if (typeof steps !== "number" || typeof length !== "number" || !Array.isArray(total)) return undefined;
    return { number, steps, length, return: total.map(Number) };
  } finally {
    await file.close();
  }
}

/** One episode, as a page can show it. */
export async function episodeOf(folder: RunsFolder, name: string, number: number): Promise<EpisodeData> {
  const path = await folder.fileOf(name, "episodes", `${number}.json`);
  if (path === undefined) throw new Refusal(404, "no such episode");
  // Links are refused here too.
  await folder.fileOf(name, "episodes", `${number}.safetensors`);
  try {
    const {
      columns,
      info,
      terminated,
      truncated,
      return: total,
      task,
    } = readEpisode(join(path, ".."), number);
    const { every = 1, frames = [] } = (info ?? {}) as { every?: number; frames?: unknown[] };
    const { observation: _, ...shown } = columns;
    return jsonSafe({
      ...{ number, every, frames, terminated, truncated, task },
      return: [...total],
      columns: Object.fromEntries(
        Object.entries(shown).flatMap(([column, tensor]) => {
          const { data, shape } = tensor as { data?: ArrayLike<number>; shape?: readonly number[] };
          return data && shape ? [[column, { shape: [...shape], data: Array.from(data) }]] : [];
        }),
      ),
    }) as EpisodeData;
  } catch (error) {
    throw new Refusal(422, `the episode cannot be read: ${(error as Error).message}`);
  }
}
