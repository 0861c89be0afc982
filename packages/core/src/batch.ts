import { matchLeaves, type Tensor, type Tree, type TypedArray, tensor, unflattenTree } from "@reins/tensor";
import { type Episode, stepsOf } from "./episode.ts";
import { fail } from "./errors.ts";

/** How the rows of a batch relate to each other. */
export type Index =
  /** Columns are [time, rows, …]: every row is a fragment of one environment's steps, in which episodes may end and begin. */
  | { readonly kind: "grid"; readonly time: number; readonly rows: number }
  /** Columns are [steps, …]; episode e is rows [starts[e], starts[e + 1]), group g is the episodes with groups[e] = g. */
  | { readonly kind: "episodes"; readonly starts: readonly number[]; readonly groups: readonly number[] }
  /** Columns are [steps, …]; each entry lists the rows of a preferred and a rejected sample, or of a ranking. */
  | { readonly kind: "lists"; readonly members: readonly (readonly number[])[] };

/** Columns by name, all of equal length. */
export type Columns = { readonly [name: string]: Tree };

/** Named columns and how their rows relate: the input of a learner. */
export interface Batch {
  readonly columns: Columns;
  readonly index: Index;
}

/** Concatenates episodes. Columns that some episodes lack are dropped, except `trace`, which the likelihoods depend on. */
export function pack(episodes: readonly Episode[]): Batch {
  if (episodes.length === 0) fail("pack", "got no episodes. Pass at least one.");
  const names = Object.keys(episodes[0].columns).filter((n) => episodes.every((e) => n in e.columns));
  const traced = episodes.filter((e) => "trace" in e.columns).length;
  if (traced > 0 && traced < episodes.length)
    fail(
      "pack",
      `${traced} of ${episodes.length} episodes have a column \`trace\`. Likelihoods depend on it, so the others need one too.`,
    );
  const starts = [0];
  for (const e of episodes) starts.push(starts[starts.length - 1] + stepsOf(e));
  const keys = episodes.map((e, i) => e.group ?? `#${i}`);
  const order = new Map([...new Set(keys)].map((k, i) => [k, i]));
  return {
    columns: Object.fromEntries(names.map((n) => [n, joinTrees(episodes.map((e) => e.columns[n]))])),
    index: { kind: "episodes", starts, groups: keys.map((k) => order.get(k)!) },
  };
}

/** Trees of concrete tensors, concatenated along their first axis. */
export function joinTrees(trees: readonly Tree[]): Tree {
  const all = trees.map((tree) => matchLeaves(trees[0], tree, "pack", "a column of another episode"));
  // No spread: there can be more episodes than a call can have arguments.
  return unflattenTree(
    trees[0],
    all[0].map((_, i) => joinRows(all.map((parts) => parts[i]))),
  );
}

/** Concrete tensors, concatenated along their first axis. */
export function joinRows(parts: readonly Tensor[]): Tensor {
  const [first] = parts;
  const rows = parts.reduce((n, p) => n + p.shape[0], 0);
  const Kind = first.data.constructor as new (n: number) => TypedArray;
  const data = new Kind(rows * first.shape.slice(1).reduce((a, b) => a * b, 1));
  let at = 0;
  for (const p of parts) {
    data.set(p.data, at);
    at += p.size;
  }
  return tensor(data, { shape: [rows, ...first.shape.slice(1)], dtype: first.dtype });
}

/** The number of steps of a batch. */
export function sizeOf({ index }: Batch): number {
  switch (index.kind) {
    case "grid":
      return index.time * index.rows;
    case "episodes":
      return index.starts[index.starts.length - 1];
    case "lists":
      return index.members.reduce((n, m) => n + m.length, 0);
  }
}
