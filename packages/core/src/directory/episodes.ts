import { lstatSync } from "node:fs";
import { join } from "node:path";
import { Tensor } from "@reins/tensor";
import { type Episode, stepsOf } from "../episode.ts";
import { fail } from "../errors.ts";
import { readArrays, writeArrays } from "./arrays.ts";
import { type Digest, sha256 } from "./digest.ts";
import { type Files, remove, replaceFile } from "./files.ts";
import { dataOf, type Inline, show, unshow } from "./inline.ts";
import { ForeignFile, listPlain } from "./plain-files.ts";
import { plainReader, type Reader } from "./reader.ts";
import { type Arrays, decode, encode, type Json } from "./tree.ts";

/** An episode in a run directory. */
export interface RecordedEpisode {
  /** Its number, from 1. */
  readonly number: number;
  /** Environment steps of the run at that time. */
  readonly steps: number;
  /** Length of the episode. */
  readonly length: number;
  readonly return: readonly number[];
  readonly task?: string;
  readonly path: string;
  /** Reads the whole episode. */
  load(): Episode;
}

/** Episodes with less data than this are one readable file. */
const small = 32 << 10;

type File = {
  readonly steps: number;
  readonly length: number;
  readonly return: Json;
  readonly task?: string;
  /** The episode and those it links to; links are indices into this list, since two episodes may link to each other. */
  readonly episodes: Json;
  readonly inline?: Record<string, Inline>;
  readonly arrays?: Digest & { readonly tensors: readonly string[] };
};

/** An episode and where it belongs. */
export interface NewEpisode {
  /** The folder of the run's episodes. */
  readonly folder: string;
  readonly number: number;
  /** Environment steps of the run so far. */
  readonly steps: number;
  readonly episode: Episode;
}

/** Writes an episode as `<number>.json`, with `<number>.safetensors` beside it if it is large. */
export function writeEpisode(files: Files, { folder, number, steps, episode }: NewEpisode): void {
  files.mkdirSync(folder, { recursive: true });
  const base = join(folder, `${number}`);
  const arrays: Arrays = new Map();
  const all = gather(episode);
  const episodes = encode(
    all.map(({ links, ...rest }) => ({
      ...rest,
      ...(links ? { links: links.map((l) => ({ ...l, episode: all.indexOf(l.episode) })) } : {}),
    })),
    arrays,
  );
  const head = {
    steps,
    length: stepsOf(episode),
    return: encode(episode.return, new Map()),
    ...(episode.task === undefined ? {} : { task: episode.task }),
  };
  const size = [...arrays.values()].reduce((n, x) => n + dataOf(x).byteLength, 0);
  let file: File;
  if (size < small)
    file = { ...head, episodes, inline: Object.fromEntries([...arrays].map(([n, x]) => [n, show(x)])) };
  else {
    const tensors = [...arrays].filter(([, x]) => x instanceof Tensor).map(([n]) => n);
    file = { ...head, episodes, arrays: { ...writeArrays(files, `${base}.safetensors`, arrays), tensors } };
  }
  // The .json comes last: without it, the episode does not exist.
  replaceFile(files, `${base}.json`, sealed(file));
}

/** Text that begins with the digest of the rest. */
function sealed(file: File): string {
  const rest = `${JSON.stringify(file).slice(1)}\n`;
  return `{"sha256":"${sha256(rest)}",${rest}`;
}

/** Reads the file of an episode; older ones have no digest. */
function unsealed(path: string, reader = plainReader): File {
  const text = reader.text(path);
  const seal = /^\{"sha256":"([0-9a-f]{64})",/.exec(text);
  if (seal && sha256(text.slice(seal[0].length)) !== seal[1]) fail(path, "is damaged (its digest differs).");
  return JSON.parse(text) as File;
}

/** The episodes in a folder, by number. Damaged and missing ones are left out with a warning. */
export function listEpisodes(
  folder: string,
  warn: (message: string) => void,
  last?: number,
): RecordedEpisode[] {
  const found: RecordedEpisode[] = [];
  const present = numbers(folder);
  nameMissing(folder, present, last ?? present.at(-1) ?? 0, warn);
  for (const number of present) {
    const path = join(folder, `${number}.json`);
    try {
      const file = unsealed(path);
      const { steps, length, task } = file;
      const total = decode(file.return, new Map());
      if (!isHead(steps, length, total)) fail(path, notOne);
      found.push({
        number,
        steps,
        length,
        return: total,
        ...(task === undefined ? {} : { task }),
        path,
        load: () => load(path),
      });
    } catch (error) {
      warn(`Episode ${path} cannot be read: ${(error as Error).message}`);
    }
  }
  return found;
}

/** Numbers of the episodes in a folder, ascending. */
export function numbers(folder: string): number[] {
  let names: string[] = [];
  try {
    names = listPlain(folder);
  } catch (error) {
    if (error instanceof ForeignFile) throw error;
  }
  return (
    names
      // Fifteen digits are exact as a number.
      .filter((n) => /^\d{1,15}\.json$/.test(n))
      .map((n) => Number.parseInt(n, 10))
      .sort((a, b) => a - b)
  );
}

/** The episodes of a checkpoint. */
export interface KeptEpisodes {
  readonly folder: string;
  /** Environment steps of the run at the checkpoint. */
  readonly steps: number;
  /** Number of the last episode at that time, if known: damaged and missing episodes up to it are reported, and not changed. */
  readonly last: number | undefined;
  readonly warn: (message: string) => void;
}

/** Removes the episodes recorded after a checkpoint. */
export function cutEpisodes(files: Files, { folder, steps, last, warn }: KeptEpisodes): void {
  const drop = (number: number) => {
    files.rmSync(join(folder, `${number}.json`), { force: true });
    remove(files, join(folder, `${number}.safetensors`));
  };
  // Later episodes need not be read, and so may be damaged.
  if (last !== undefined) for (const number of numbers(folder)) if (number > last) drop(number);
  for (const e of listEpisodes(folder, warn, last)) {
    if (e.steps > steps) drop(e.number);
    else checkArrays(e.path, warn);
  }
}

/** Numbers are consecutive, so a gap means that an episode was lost. */
function nameMissing(
  folder: string,
  present: readonly number[],
  last: number,
  warn: (message: string) => void,
): void {
  const there = new Set(present.filter((number) => number >= 1 && number <= last));
  const count = last - there.size;
  if (count <= 0) return;
  // A file name may hold any number: no more are searched than are named.
  const missing: string[] = [];
  for (let number = 1; missing.length < Math.min(count, 5); number++)
    if (!there.has(number)) missing.push(`${number}.json`);
  const names = `${missing.join(", ")}${count > missing.length ? ", …" : ""}`;
  warn(`${folder}: ${count} of its ${last} episodes are missing (${names}).`);
}

/** Warns if the arrays of an episode are missing or have the wrong size; their digest is checked when they are loaded. */
function checkArrays(path: string, warn: (message: string) => void): void {
  const { arrays } = unsealed(path);
  if (!arrays) return;
  const beside = path.replace(/json$/, "safetensors");
  const stat = lstatSync(beside, { throwIfNoEntry: false });
  if (!stat?.isFile())
    warn(`Episode ${path} cannot be read: ${beside} is ${stat ? "not a file" : "missing"}.`);
  else if (stat.size !== arrays.bytes)
    warn(`Episode ${path} cannot be read: ${beside} has ${stat.size} bytes instead of ${arrays.bytes}.`);
}

/** Reads an episode of a folder by number. */
export const readEpisode = (folder: string, number: number, reader?: Reader): Episode =>
  load(join(folder, `${number}.json`), reader);

function load(path: string, reader = plainReader): Episode {
  try {
    const found = episodeIn(path, reader);
    const { columns, return: total } = found;
    const isOne = typeof columns === "object" && columns !== null && isHead(0, 0, total);
    return isOne ? found : fail(path, notOne);
  } catch (error) {
    // A file may hold anything with a valid digest: its content is checked where it is used.
    if (error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError)
      fail(path, `${notOne} (${error.message})`);
    throw error;
  }
}

const notOne = "it does not hold an episode.";

const isHead = (steps: unknown, length: unknown, total: unknown): total is number[] =>
  typeof steps === "number" &&
  typeof length === "number" &&
  Array.isArray(total) &&
  total.every((x) => typeof x === "number");

function episodeIn(path: string, reader: Reader): Episode {
  const { episodes, inline, arrays } = unsealed(path, reader);
  const tensors = new Set(arrays?.tensors);
  const found = arrays
    ? readArrays(path.replace(/json$/, "safetensors"), arrays, (n) => tensors.has(n), reader)
    : new Map(Object.entries(inline ?? {}).map(([n, x]) => [n, unshow(x)]));
  const all = decode(episodes, found) as { links?: { episode: unknown }[] }[];
  for (const e of all) for (const link of e.links ?? []) link.episode = all[link.episode as number];
  return all[0] as Episode;
}

/** The episode and all episodes that it links to, each once. */
function gather(episode: Episode): Episode[] {
  const all = [episode];
  for (let i = 0; i < all.length; i++)
    for (const { episode: other } of all[i].links ?? []) if (!all.includes(other)) all.push(other);
  return all;
}
