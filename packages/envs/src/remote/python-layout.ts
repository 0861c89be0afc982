import type { Tensor, Tree } from "@reins/tensor";
import { leaves } from "@reins/tensor";
import { bytesEach, partAt } from "./mirror.ts";

/** Position of a column in shared memory. */
export interface Place {
  readonly path: readonly (string | number)[];
  readonly at: number;
  readonly count: number;
}

/** The memory layout of the other side; `reins_host.py` defines it. */
export interface Layout {
  readonly observation: readonly Place[];
  readonly final: readonly Place[];
  readonly actions: readonly Place[];
  readonly reward: number;
  readonly flags: number;
  readonly mask: number;
  readonly finalMask: number;
  /** Bytes sent when no episode ended, and in total. */
  readonly short: number;
  readonly bytes: number;
}

/** What a layout must contain. */
export interface Expected {
  readonly observation: Tree;
  readonly action: Tree;
  readonly rows: number;
  /** Mask entries of all rows. */
  readonly mask: number;
}

/** Header size, before which nothing may lie. */
const first = 8;

/** What is wrong with a received layout; undefined if it is valid for these columns. */
export function layoutFault(
  given: unknown,
  { observation, action, rows, mask }: Expected,
): string | undefined {
  const layout = Object(given) as Layout;
  const { short, bytes } = layout;
  const room = 2 * sizeOf(observation) + 16 * rows + 2 * mask + 4096;
  if (!isPlace(short) || !isPlace(bytes) || short > bytes || bytes > room)
    return `columns of ${short} and ${bytes} bytes`;
  const fits = (at: unknown, count: number, each: number) =>
    isPlace(at) && at % each === 0 && at + count * each <= bytes;
  if (
    !fits(layout.reward, rows, 8) ||
    !fits(layout.flags, rows, 1) ||
    !fits(layout.mask, mask, 1) ||
    !fits(layout.finalMask, mask, 1)
  )
    return "rewards, flags or masks outside of the columns";
  return (
    placesFault("observation", layout.observation, observation, bytes) ??
    placesFault("final observation", layout.final, observation, bytes) ??
    placesFault("action", layout.actions, action, first + 2 * sizeOf(action) + 4096)
  );
}

function placesFault(what: string, places: unknown, tree: Tree, bytes: number): string | undefined {
  const missing = new Set(leaves(tree));
  for (const place of Array.isArray(places) ? places : []) {
    const { path, at, count } = Object(place) as Place;
    const tensor = Array.isArray(path) ? tensorAt(tree, path) : undefined;
    if (!tensor || !missing.delete(tensor)) return `a column of the ${what} that its space does not have`;
    const each = bytesEach(tensor.dtype);
    if (count !== tensor.size || !isPlace(at) || at % each !== 0 || at + count * each > bytes)
      return `${count} numbers at ${at} for a column of the ${what} with ${tensor.size}`;
  }
  return missing.size ? `an ${what} without ${missing.size} of its columns` : undefined;
}

function tensorAt(tree: Tree, path: readonly (string | number)[]): Tensor | undefined {
  try {
    return partAt(tree, path);
  } catch {
    return undefined;
  }
}

const isPlace = (x: unknown): x is number => Number.isSafeInteger(x) && (x as number) >= first;
/** Columns are aligned to 8 bytes. */
const sizeOf = (tree: Tree): number =>
  leaves(tree).reduce((sum, t) => sum + 8 * Math.ceil((t.size * bytesEach(t.dtype)) / 8), 0);
