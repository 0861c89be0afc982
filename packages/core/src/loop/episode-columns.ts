import { leaves, type Tensor, type Tree, tensor, treeMap, zeros } from "@reins/tensor";
import type { Columns } from "../batch.ts";
import { type Batch, sizeOf } from "../batch.ts";
import { type Maker, makers } from "../episode.ts";
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
  return arrange(batch, targets, from, [size], (step) => step);
}

/** An episode a column, [time, rows, …]: for policies with memory, which need whole ones. Rows can be cut into so many equal parts. */
export function inRows(batch: Batch, targets: StepTargets, from: Makers, parts = 1): EpisodeColumns {
  const { starts } = episodesOf(batch, "episodic");
  const count = starts.length - 1;
  let longest = 0;
  for (let e = 0; e < count; e++) longest = Math.max(longest, starts[e + 1] - starts[e]);
  // Short ones in steps of 16, long ones in powers of two: few shapes, little padding.
  const time = longest <= 64 ? 16 * Math.ceil(longest / 16) : powerOfTwo(longest, 64);
  const rows = parts * powerOfTwo(Math.ceil(count / parts), 1);
  const place = new Int32Array(sizeOf(batch));
  for (let e = 0; e < count; e++)
    for (let s = starts[e]; s < starts[e + 1]; s++) place[s] = (s - starts[e]) * rows + e;
  const { columns, shape } = arrange(batch, targets, from, [time, rows], (step) => place[step]);
  const first = zeros([time, rows], "bool");
  first.data.fill(1, 0, rows);
  return { columns: { ...columns, first }, shape };
}

/** The columns of a batch and its targets, each step at its place in `shape`; places without a step do not count. */
function arrange(
  batch: Batch,
  targets: StepTargets,
  from: Makers,
  shape: readonly number[],
  place: (step: number) => number,
): EpisodeColumns {
  const { by, version: _, ...rest } = batch.columns as Record<string, Tree>;
  const steps = sizeOf(batch);
  const moved = (t: Tensor): Tensor => {
    const wide = zeros([...shape, ...t.shape.slice(1)], t.dtype);
    const size = t.size / steps;
    for (let s = 0; s < steps; s++) {
      const at = place(s) * size;
      for (let k = 0; k < size; k++) wide.data[at + k] = t.data[s * size + k];
    }
    return wide;
  };
  const columns = treeMap(moved, rest) as Record<string, Tree>;
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
    );
  columns.alive = marked((m) => whose.includes(m));
  // Where several makers are learned from, losses may treat a teacher's steps in another way.
  if (whose.length > 1) columns.taught = marked((m) => m === makers.indexOf("teacher"));
  return { columns, shape: `${shape} ${leaves(columns).length}` };
}
