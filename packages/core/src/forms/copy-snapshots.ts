import { Tensor } from "@reins/tensor";
import { fail } from "../errors.ts";
import { isNumberArray, type NumberArray, type Snapshot } from "../snapshot.ts";

type Parts = { readonly [name: string]: Snapshot };

/**
 * The snapshot that `vectorise` would have saved of all copies, from snapshots of parts of them: columns are concatenated, copies are in one
 * list. Common values (`context`, `started`) come from the first.
 */
export function mergeSnapshots(saved: readonly Snapshot[]): Snapshot {
  const [first] = saved as readonly Parts[];
  const each = (name: string) => (saved as readonly Parts[]).map((one) => one[name]);
  const envs = each("envs").flatMap((some) => some as readonly Snapshot[]);
  return { ...first, table: join(each("table")), own: join(each("own")), envs };
}

/** The inverse of {@link mergeSnapshots}: splits the snapshot of all copies into shares. */
export function splitSnapshot(saved: Snapshot, shares: readonly number[], id: string): Snapshot[] {
  const all = saved as Parts;
  const copies = shares.reduce((a, b) => a + b, 0);
  const had = Array.isArray(all?.envs) ? all.envs.length : 0;
  if (had !== copies) fail(id, `the checkpoint has ${had} copies, but there are ${copies} here. Use ${had}.`);
  let from = 0;
  return shares.map((share) => {
    const span = { from, to: from + share, copies };
    from += share;
    const { table, own, envs } = all;
    return {
      ...all,
      table: cut(table, span),
      own: cut(own, span),
      envs: (envs as readonly Snapshot[]).slice(span.from, span.to),
    };
  });
}

/** Concatenates arrays, in all parts. */
function join(parts: readonly Snapshot[]): Snapshot {
  const [first] = parts;
  if (first instanceof Tensor || isNumberArray(first)) {
    const arrays = parts.map(numbersOf);
    const length = arrays.reduce((sum, a) => sum + a.length, 0);
    // In one expression TypeScript 7.0 omits the parentheses that `new` needs.
    const Numbers = numbersOf(first).constructor as new (length: number) => NumberArray;
    const whole = new Numbers(length);
    let at = 0;
    for (const array of arrays) {
      whole.set(array, at);
      at += array.length;
    }
    return whole;
  }
  if (Array.isArray(first))
    return first.map((_, i) => join((parts as (readonly Snapshot[])[]).map((part) => part[i])));
  if (typeof first !== "object" || first === null) return first;
  const names = Object.keys(first);
  return Object.fromEntries(names.map((name) => [name, join((parts as Parts[]).map((part) => part[name]))]));
}

/** The share of some copies in every array. */
function cut(
  part: Snapshot,
  span: { readonly from: number; readonly to: number; readonly copies: number },
): Snapshot {
  if (part instanceof Tensor || isNumberArray(part)) {
    const numbers = numbersOf(part);
    const width = numbers.length / span.copies;
    return numbers.slice(span.from * width, span.to * width);
  }
  if (typeof part !== "object" || part === null) return part;
  if (Array.isArray(part)) return part.map((one) => cut(one, span));
  return Object.fromEntries(Object.entries(part).map(([name, one]) => [name, cut(one, span)]));
}

const numbersOf = (part: Snapshot): NumberArray =>
  part instanceof Tensor ? (part.data as NumberArray) : (part as NumberArray);
