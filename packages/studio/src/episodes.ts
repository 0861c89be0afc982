import { existsSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { readEpisode } from "@reins/core/directory";
import { recordedIn } from "./episode-runs.ts";
import type { RunsFolder } from "./folder.ts";
import { readBytes } from "./growing-file.ts";
import { jsonSafe } from "./json-safe.ts";
import { plainFileReader } from "./plain-files.ts";
import { Refusal } from "./refusal.ts";
import type { EpisodeData, EpisodeLine } from "./run-wire.ts";

/** The episodes of a run, by number. Reads only the beginning of each file. */
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

/** The head of an episode file, which is short unless its name or return is long. */
async function beginning(file: FileHandle): Promise<string> {
  for (let length = 4096; ; length *= 16) {
    const text = (await readBytes(file, 0, length)).toString("utf8");
    const end = text.indexOf(',"episodes":');
    if (end >= 0 || length >= 1 << 20) return text.slice(0, Math.max(0, end));
  }
}

/** Maximum number of components of an observation that is sent to the page; images are larger. */
const most = 128;

const sizeOf = ({ shape }: Plain): number => shape.slice(1).reduce((a, b) => a * b, 1);

type Plain = { readonly shape: readonly number[]; readonly data: ArrayLike<number> };

/** Columns by path, such as `observation.desired`. */
function columnsIn(tree: unknown, path: string): [string, Plain][] {
  if (typeof tree !== "object" || tree === null) return [];
  const { data, shape } = tree as Partial<Plain>;
  if (data && shape) return [[path, { data, shape }]];
  return Object.entries(tree).flatMap(([name, part]) => columnsIn(part, path ? `${path}.${name}` : name));
}

/** Labels by the path of their column. Invalid labels are left out. */
function labelsIn(given: unknown, path = ""): [string, string[]][] {
  if (Array.isArray(given)) return given.every((x) => typeof x === "string") ? [[path, given]] : [];
  if (typeof given !== "object" || given === null) return [];
  return Object.entries(given).flatMap(([name, part]) => labelsIn(part, path ? `${path}.${name}` : name));
}

/** Episodes may contain images. */
const reader = plainFileReader({ text: 32 << 20, open: 256 << 20 });

/** One episode, for the page. */
export async function episodeOf(folder: RunsFolder, name: string, number: number): Promise<EpisodeData> {
  const path = await folder.folderOf(name, "episodes");
  if (path === undefined || !existsSync(join(path, `${number}.json`)))
    throw new Refusal(404, "no such episode");
  try {
    const { columns, info, terminated, truncated, return: total, task } = readEpisode(path, number, reader);
    const {
      every = 1,
      frames = [],
      labels,
    } = (info ?? {}) as {
      every?: number;
      frames?: unknown[];
      labels?: unknown;
    };
    const all = columnsIn(columns, "");
    const seen = all.filter(([path]) => /^observation(\.|$)/.test(path));
    const isLarge = seen.reduce((sum, [, column]) => sum + sizeOf(column), 0) > most;
    return jsonSafe({
      ...{ number, every, frames, terminated, truncated, task },
      return: [...total],
      labels: Object.fromEntries(labelsIn(labels)),
      columns: Object.fromEntries(
        all
          .filter(([path]) => !isLarge || !path.startsWith("observation"))
          .map(([path, { data, shape }]) => [path, { shape: [...shape], data: Array.from(data) }]),
      ),
    }) as EpisodeData;
  } catch (error) {
    throw new Refusal(422, `the episode cannot be read: ${(error as Error).message}`);
  }
}
