import { leaves, reshape, scalar, Tensor, type Tree, take, tensor, treeMap } from "@reins/tensor";
import { type Batch, type Columns, pack } from "./batch.ts";
import type { Episode } from "./episode.ts";
import { fail } from "./errors.ts";
import type { Experience } from "./experience.ts";
import { anyOf } from "./replay/choose.ts";
import { bytesOf } from "./replay/rows.ts";
import { kindOf } from "./spaces/numbers.ts";

/**
 * Recorded experience, sampled uniformly: transitions, demonstrations, logs, preferences. An entry is a
 * step, a whole sequence, or a list ([members, …], with `present` if lists differ in length). Columns are used in place, not copied. It
 * never changes, so checkpoints do not hold it.
 */
export function dataset(what: Columns | Batch | readonly Episode[]): Experience {
  if (typeof what !== "object" || what === null)
    fail(
      "dataset",
      `got ${kindOf(what)}. Pass columns by name: { observation: tensor([[…]]), … }; a run passes its \`data\`.`,
    );
  const columns = entriesOf(what);
  for (const [name, column] of Object.entries(columns)) checkColumn(name, column);
  const all = leaves(columns);
  const count = all[0]?.shape[0] ?? 0;
  if (count === 0) fail("dataset", "is empty. Pass columns by name: { observation: tensor([[…]]), … }.");
  for (const [name, column] of Object.entries(columns))
    for (const t of leaves(column))
      if (t.shape[0] !== count)
        fail("dataset", `column \`${name}\` has ${t.shape[0] ?? 0} entries, but the others have ${count}.`);
  const size = scalar(count, "i32");
  return {
    capacity: count,
    bytes: bytesOf(columns),
    size,
    columns,
    sample: (n, key) => ({ index: anyOf(n, key, size) }),
    save: () => ({ entries: count }),
    restore(from) {
      const entries = (from as { entries?: number } | null)?.entries;
      if (entries !== undefined && entries !== count)
        fail(
          "restore",
          `the checkpoint was trained on a dataset of ${entries} entries; this one has ${count}. Pass the same dataset.`,
        );
    },
  };
}

/** Rejects plain lists of numbers: compiled code reads columns in place. */
function checkColumn(name: string, column: unknown): void {
  if (column instanceof Tensor) return;
  if (Array.isArray(column) && !column.some((part) => typeof part === "number" || Array.isArray(part)))
    column.forEach((part, i) => checkColumn(`${name}[${i}]`, part));
  else if (
    typeof column === "object" &&
    column !== null &&
    Object.getPrototypeOf(column) === Object.prototype
  )
    for (const [part, inner] of Object.entries(column)) checkColumn(`${name}.${part}`, inner);
  else if (column !== undefined && column !== null)
    fail("dataset", `column \`${name}\` is ${kindOf(column)}; it must be a tensor. Pass tensor(${name}).`);
}

const isBatch = (what: Columns | Batch): what is Batch => "index" in what && "kind" in (what.index as object);

/** One row for each entry. */
function entriesOf(what: Columns | Batch | readonly Episode[]): Columns {
  if (isEpisodes(what))
    return what.length ? pack(what).columns : fail("dataset", "got no episodes. Pass at least one.");
  if (!isBatch(what)) return what;
  const { columns, index } = what;
  switch (index.kind) {
    case "grid":
      return treeMap((t) => reshape(t, [index.time * index.rows, ...t.shape.slice(2)]), columns);
    case "lists":
      return listsOf(columns, index.members);
    default:
      return columns;
  }
}

const isEpisodes = (what: Columns | Batch | readonly Episode[]): what is readonly Episode[] =>
  Array.isArray(what);

/** Lists as [lists, members, …]; shorter ones repeat their last member, with `present` false. */
function listsOf(columns: Columns, members: readonly (readonly number[])[]): Columns {
  const longest = members.reduce((n, m) => Math.max(n, m.length), 0);
  if (members.some((m) => m.length === 0))
    fail("dataset", "a list is empty. Give each list at least one member.");
  const count = leaves(columns)[0]?.shape[0] ?? 0;
  const odd = members.flat().find((row) => !Number.isInteger(row) || row < 0 || row >= count);
  if (odd !== undefined) fail("dataset", `a list has member ${odd}, but the rows are 0 to ${count - 1}.`);
  const rows = members.flatMap((m) =>
    Array.from({ length: longest }, (_, i) => m[Math.min(i, m.length - 1)]),
  );
  const index = tensor(Int32Array.from(rows));
  const wide = (t: Tensor): Tensor =>
    reshape(take(t, index, 0), [members.length, longest, ...t.shape.slice(1)]);
  const present = members.flatMap((m) => Array.from({ length: longest }, (_, i) => (i < m.length ? 1 : 0)));
  const even = members.every((m) => m.length === longest);
  const shape = [members.length, longest];
  return {
    ...treeMap(wide, columns),
    ...(even ? {} : { present: tensor(Uint8Array.from(present), { shape, dtype: "bool" }) as Tree }),
  };
}
