import { leaves, type Tensor, type Tree, tensor, treeMap, zeros } from "@reins/tensor";
import type { Columns } from "../batch.ts";
import { type Batch, sizeOf } from "../batch.ts";
import { type Episode, type Maker, makers, pathOf } from "../episode.ts";
import { episodesOf } from "../targets/group.ts";

/** Whose steps count. */
export type Makers = Maker | readonly Maker[];

/** Targets of a batch: one number a step. */
export type StepTargets = { readonly [column: string]: ArrayLike<number> };

/** Columns to learn from; `alive` says which steps count. */
export interface EpisodeColumns {
  readonly columns: Columns;
  /** The same for batches that the same compiled update can take. */
  readonly shape: string;
}

const powerOfTwo = (n: number, least: number) => 2 ** Math.ceil(Math.log2(Math.max(least, n)));

/** Steps one after another, [steps, …]: for policies that look at one step at a time. They can be cut into so many equal parts. */
export function inSteps(batch: Batch, targets: StepTargets, from: Makers, parts = 1): EpisodeColumns {
  const size = parts * powerOfTwo(Math.ceil(sizeOf(batch) / parts), 64 / parts);
  const all = Int32Array.from({ length: sizeOf(batch) }, (_, step) => step);
  return arrange(batch, targets, from, [size], { steps: all, places: all, own: all.length });
}

/**
 * An episode a column, [time, rows, …]: for policies with memory, which need whole ones. One in several segments has a column for each, with
 * what the segment goes on from above it, which does not count there. Rows can be cut into so many equal parts.
 */
export function inRows(
  batch: Batch,
  targets: StepTargets,
  from: Makers,
  parts = 1,
  episodes: readonly Pick<Episode, "segments">[] = [],
): EpisodeColumns {
  const { starts } = episodesOf(batch, "episodic");
  // Steps of each column, and from which one on they are its own.
  const paths: { readonly steps: readonly number[]; readonly own: number }[] = [];
  for (let e = 0; e < starts.length - 1; e++) {
    const { segments = [] } = episodes[e] ?? {};
    const [start, length] = [starts[e], starts[e + 1] - starts[e]];
    if (segments.length < 2) paths.push({ steps: Array.from({ length }, (_, i) => start + i), own: 0 });
    else
      segments.forEach(({ from, to, owner }, s) => {
        if (to === from || owner !== undefined) return;
        const steps = pathOf(episodes[e] as Episode, s).map((i) => start + i);
        paths.push({ steps, own: steps.length - (to - from) });
      });
  }
  const longest = paths.reduce((most, p) => Math.max(most, p.steps.length), 0);
  // Short ones in steps of 16, long ones in quarters of powers of two: few shapes, little padding.
  const step = longest <= 64 ? 16 : powerOfTwo(longest, 64) / 4;
  const time = step * Math.ceil(longest / step);
  const rows = parts * powerOfTwo(Math.ceil(paths.length / parts), 1);
  const [steps, places]: number[][] = [[], []];
  const lay = (of: (path: (typeof paths)[number]) => readonly [from: number, to: number]) =>
    paths.forEach((path, row) => {
      const [from, to] = of(path);
      for (let t = from; t < to; t++) {
        steps.push(path.steps[t]);
        places.push(t * rows + row);
      }
    });
  lay((path) => [path.own, path.steps.length]);
  const own = steps.length;
  lay((path) => [0, path.own]);
  const { columns, shape } = arrange(batch, targets, from, [time, rows], { steps, places, own });
  const first = zeros([time, rows], "bool");
  first.data.fill(1, 0, rows);
  return { columns: { ...columns, first }, shape };
}

/** Which steps go to which places. Of the first `own` of them each is another step; the others are there to be seen, and do not count. */
interface Laid {
  readonly steps: ArrayLike<number>;
  readonly places: ArrayLike<number>;
  readonly own: number;
}

/** The columns of a batch and its targets, each step at its places in `shape`; places without a step do not count. */
function arrange(
  batch: Batch,
  targets: StepTargets,
  from: Makers,
  shape: readonly number[],
  { steps: laid, places, own }: Laid,
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
  // Where several makers are learned from, losses may treat a teacher's steps in another way.
  if (whose.length > 1) columns.taught = marked((m) => m === makers.indexOf("teacher"));
  // Batches may differ in which columns they have: by their number, and by what each holds.
  const kinds = leaves(columns).map((t) => `${t.dtype}${t.shape.slice(shape.length)}`);
  return { columns, shape: `${shape} ${kinds.join(" ")}` };
}
