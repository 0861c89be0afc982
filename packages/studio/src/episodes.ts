import { existsSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { readEpisode } from "@reins/core/directory";
import { recordedIn } from "./episode-runs.ts";
import type { RunsFolder } from "./folder.ts";
import { stretch } from "./growing-file.ts";
import { jsonSafe } from "./json-safe.ts";
import { Refusal } from "./refusal.ts";
import { wary } from "./wary.ts";
import type { EpisodeData, EpisodeLine } from "./wire.ts";

/** The episodes of a run, by number; only the beginnings of their files are read. */
export async function episodesOf(folder: RunsFolder, name: string): Promise<EpisodeLine[]> {
  const found: EpisodeLine[] = [];
  for (const number of await recordedIn(await folder.pathOf(name))) {
    const line = await headOf(folder, name, number).catch(() => undefined);
    if (line) found.push(line);
  }
  return found;
}

function headOf(folder: RunsFolder, name: string, number: number): Promise<EpisodeLine | undefined> {
  return folder.reading(name, ["episodes", `${number}.json`], async (file) => {
    const head = JSON.parse(`${await beginning(file)}}`) as Record<string, unknown>;
    const { steps, length, return: total } = head;
    if (typeof steps !== "number" || typeof length !== "number" || !Array.isArray(total)) return undefined;
    return { number, steps, length, return: total.map(Number) };
  });
}

/** What comes before the episode itself: little, unless its task has a long name or its return many numbers. */
async function beginning(file: FileHandle): Promise<string> {
  for (let length = 4096; ; length *= 16) {
    const text = (await stretch(file, 0, length)).toString("utf8");
    const end = text.indexOf(',"episodes":');
    if (end >= 0 || length >= 1 << 20) return text.slice(0, Math.max(0, end));
  }
}

/** Most numbers of an observation that are shown as curves; pictures are no curves. */
const seen = 16;

const isSmall = (column: unknown): boolean => {
  const { shape } = (column ?? {}) as { shape?: readonly number[] };
  return shape !== undefined && shape.slice(1).reduce((a, b) => a * b, 1) <= seen;
};

/** Episodes may have pictures in them. */
const reader = wary({ text: 32 << 20, open: 256 << 20 });

/** One episode, as a page can show it. */
export async function episodeOf(folder: RunsFolder, name: string, number: number): Promise<EpisodeData> {
  const path = await folder.folderOf(name, "episodes");
  if (path === undefined || !existsSync(join(path, `${number}.json`)))
    throw new Refusal(404, "no such episode");
  try {
    const { columns, info, terminated, truncated, return: total, task } = readEpisode(path, number, reader);
    const { every = 1, frames = [] } = (info ?? {}) as { every?: number; frames?: unknown[] };
    const { observation, ...others } = columns;
    const shown = isSmall(observation) ? { ...others, observation } : others;
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
