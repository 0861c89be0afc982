import { leaves, type Tensor, type Tree, tensor, treeMap, zeros } from "@reins/tensor";
import type { Columns } from "../batch.ts";
import { type Batch, sizeOf } from "../batch.ts";
import { type Episode, type Maker, makers, pathOf } from "../episode.ts";
import { episodesOf } from "../targets/group.ts";

/** Whose steps are trained on. */
export type Makers = Maker | readonly Maker[];

/** Targets of a batch: one number per step. */
export type StepTargets = { readonly [column: string]: ArrayLike<number> };

/** Columns to train on; `alive` marks the steps that enter the loss. */
export interface EpisodeColumns {
  readonly columns: Columns;
  /** Equal for batches that can share a compiled update. */
  readonly shape: string;
}

const powerOfTwo = (n: number, least: number) => 2 ** Math.ceil(Math.log2(Math.max(least, n)));

/** How the steps of a batch are arranged. */
export interface Arrangement {
  /** Whose steps enter the loss. */
  readonly from: Makers;
  /** Equal parts into which the columns must split (default 1). */
  readonly parts?: number;
  /** Neighbouring rows that are never split between parts (default 1). */
  readonly neighbours?: number;
  /** The episodes of the batch, for those with several segments. */
  readonly episodes?: readonly Pick<Episode, "segments">[];
  /** Puts several episodes into a row, up to this number of steps, for policies that tell them apart by `first` (default 0: one in each). */
  readonly packing?: number;
}

/** Steps in sequence, [steps, …]: for policies without memory. Padded so that they split into `parts` equal parts. */
export function inSteps(
  batch: Batch,
  targets: StepTargets,
  { from, parts = 1 }: Arrangement,
): EpisodeColumns {
  const size = parts * powerOfTwo(Math.ceil(sizeOf(batch) / parts), 64 / parts);
  const all = Int32Array.from({ length: sizeOf(batch) }, (_, step) => step);
  return arrange(batch, targets, from, [size], { steps: all, places: all, own: all.length });
}

/**
 * One episode per column, [time, rows, …]: for policies with memory, which need whole episodes. An episode in several segments has a column
 * for each, preceded by the steps that it continues from, which do not enter the loss there. Rows split into `parts` equal parts.
 */
export function inRows(
  batch: Batch,
  targets: StepTargets,
  { from, parts = 1, neighbours = 1, episodes = [], packing = 0 }: Arrangement,
): EpisodeColumns {
  const { starts } = episodesOf(batch, "episodic");
  // The steps of each column, and the first one that belongs to its own segment.
  const paths: Omit<EpisodePath, "row" | "at">[] = [];
  for (let e = 0; e < starts.length - 1; e++) {
    const { segments = [] } = episodes[e] ?? {};
    const [start, length] = [starts[e], starts[e + 1] - starts[e]];
    if (segments.length < 2)
      paths.push({ episode: e, steps: Array.from({ length }, (_, i) => start + i), own: 0 });
    else
      segments.forEach(({ from, to, owner }, s) => {
        if (to === from || owner !== undefined) return;
        const steps = pathOf(episodes[e] as Episode, s).map((i) => start + i);
        paths.push({ episode: e, steps, own: steps.length - (to - from) });
      });
  }
  const laid = packedPaths(paths, packing);
  const time = paddedLength(laid.reduce((most, p) => Math.max(most, p.at + p.steps.length), 0));
  const rows =
    parts * powerOfTwo(Math.ceil((Math.max(-1, ...laid.map((p) => p.row)) + 1) / parts), neighbours);
  const [steps, places]: number[][] = [[], []];
  const lay = (of: (path: EpisodePath) => readonly [from: number, to: number]) => {
    for (const path of laid) {
      const [from, to] = of(path);
      for (let t = from; t < to; t++) {
        steps.push(path.steps[t]);
        places.push((path.at + t) * rows + path.row);
      }
    }
  };
  lay((path) => [path.own, path.steps.length]);
  const own = steps.length;
  lay((path) => [0, path.own]);
  const { columns, shape } = arrange(batch, targets, from, [time, rows], { steps, places, own });
  const first = zeros([time, rows], "bool");
  first.data.fill(1, 0, rows);
  for (const { at, row } of laid) first.data[at * rows + row] = 1;
  if (!episodes.some(({ segments }) => segments.length > 1)) return { columns: { ...columns, first }, shape };
  const order = episodeOrder(laid, (batch.columns.turn as Tensor | undefined)?.data, [time, rows]);
  const episodeNumber = episodeNumbers(laid, [time, rows]);
  return {
    columns: { ...columns, first, ...order, episodeNumber },
    shape: `${shape} over ${order.episodeSteps.shape[0]}`,
  };
}

/** The steps of a row, and the number of those that it continues from. */
interface EpisodePath {
  readonly episode: number;
  readonly steps: readonly number[];
  readonly own: number;
  /** Its row, and the position of its first step there. */
  readonly row: number;
  readonly at: number;
}

/**
 * A row for each path, or paths of single segments packed into rows of up to `most` steps: the longest first, each into the fullest row
 * that has room.
 */
function packedPaths(paths: readonly Omit<EpisodePath, "row" | "at">[], most: number): EpisodePath[] {
  const isWhole = paths.every((p, i) => p.own === 0 && p.episode === i);
  if (most <= 0 || !isWhole) return paths.map((path, row) => ({ ...path, row, at: 0 }));
  const filled: number[] = [];
  const longestFirst = paths
    .map((_, i) => i)
    .sort((a, b) => paths[b].steps.length - paths[a].steps.length || a - b);
  const laid: EpisodePath[] = [];
  for (const i of longestFirst) {
    const { length } = paths[i].steps;
    let row = -1;
    filled.forEach((used, r) => {
      if (used + length <= most && (row < 0 || used > filled[row])) row = r;
    });
    if (row < 0) row = filled.push(0) - 1;
    laid[i] = { ...paths[i], row, at: filled[row] };
    filled[row] += length;
  }
  return laid;
}

/** Short lengths in multiples of 16, long ones in quarters of powers of two: few shapes, little padding. */
function paddedLength(longest: number): number {
  const step = longest <= 64 ? 16 : powerOfTwo(longest, 64) / 4;
  return step * Math.ceil(longest / step);
}

/**
 * The columns `episodeSteps` and `episodePlaces` of episodes in several rows. Steps are ordered by the policy's turns, since a
 * conversation may return to an earlier segment; messages of others belong to the turn before them.
 */
function episodeOrder(
  paths: readonly EpisodePath[],
  turns: ArrayLike<number> | undefined,
  [time, rows]: readonly [number, number],
): { readonly episodeSteps: Tensor; readonly episodePlaces: Tensor } {
  const found: { readonly turn: number; readonly step: number; readonly place: number }[][] = [];
  paths.forEach(({ episode, steps, own, row }) => {
    let turn = 0;
    found[episode] ??= [];
    steps.forEach((step, t) => {
      turn = turns?.[step] || turn;
      if (t >= own) found[episode].push({ turn, step, place: t * rows + row });
    });
  });
  const length = paddedLength(found.reduce((most, steps) => Math.max(most, steps.length), 0));
  const episodeSteps = zeros([length, rows], "i32").set(-1);
  const episodePlaces = zeros([time, rows], "i32").set(-1);
  Object.values(found).forEach((steps, column) => {
    steps.sort((a, b) => a.turn - b.turn || a.step - b.step);
    steps.forEach(({ place }, t) => {
      episodeSteps.data[t * rows + column] = place;
      episodePlaces.data[place] = t * rows + column;
    });
  });
  return { episodeSteps, episodePlaces };
}

/** The column `episodeNumber`: the number of each row's episode, from 1, at all of its positions; 0 for padding. */
function episodeNumbers(paths: readonly EpisodePath[], [time, rows]: readonly [number, number]): Tensor {
  const numbers = zeros([time, rows], "i32");
  for (const { row, episode } of paths)
    for (let t = 0; t < time; t++) numbers.data[t * rows + row] = episode + 1;
  return numbers;
}

/** Which steps go to which positions. The first `own` are distinct steps; the others are context only and do not enter the loss. */
interface Placement {
  readonly steps: ArrayLike<number>;
  readonly places: ArrayLike<number>;
  readonly own: number;
}

/** The columns of a batch and its targets, each step at its positions in `shape`; positions without a step do not enter the loss. */
function arrange(
  batch: Batch,
  targets: StepTargets,
  from: Makers,
  shape: readonly number[],
  { steps: laid, places, own }: Placement,
): EpisodeColumns {
  const { by, version: _, ...rest } = batch.columns as Record<string, Tree>;
  const steps = sizeOf(batch);
  const moved = (t: Tensor, count = laid.length): Tensor => {
    const wide = zeros([...shape, ...t.shape.slice(1)], t.dtype);
    const size = t.size / steps;
    for (let i = 0; i < count; i++) {
      const [s, at] = [laid[i] * size, places[i] * size];
      for (let k = 0; k < size; k++) wide.data[at + k] = t.data[s + k];
    }
    return wide;
  };
  const columns = treeMap((t) => moved(t), rest) as Record<string, Tree>;
  for (const [name, values] of Object.entries(targets))
    columns[name] = moved(tensor(Float32Array.from(values)));
  const made = (by as Tensor).data;
  const whose = [from].flat().map((m) => makers.indexOf(m));
  const marked = (counts: (maker: number) => boolean) =>
    moved(
      tensor(
        Uint8Array.from(made, (m) => (counts(m) ? 1 : 0)),
        { dtype: "bool" },
      ),
      own,
    );
  columns.alive = marked((m) => whose.includes(m));
  // With several makers, losses may treat a teacher's steps differently.
  if (whose.length > 1) columns.taught = marked((m) => m === makers.indexOf("teacher"));
  // Batches may differ in their columns: in number, type and shape.
  const kinds = leaves(columns).map((t) => `${t.dtype}${t.shape.slice(shape.length)}`);
  return { columns, shape: `${shape} ${kinds.join(" ")}` };
}
