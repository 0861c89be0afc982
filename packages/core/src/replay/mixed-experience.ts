import { random, type Tensor, type Tree, treeMap } from "@reins/tensor";
import { type Batch, joinRows } from "../batch.ts";
import { fail } from "../errors.ts";
import type { Experience } from "../experience.ts";
import type { Live } from "../signals/live.ts";
import type { Snapshot } from "../snapshot.ts";

/** Experience, and its share of every batch. Shares are relative to their sum. */
export interface Portion {
  readonly of: Experience;
  readonly share: number | Live;
}

/**
 * Several kinds of experience as one: each batch takes from each its share, to within one entry and exactly on average. Parts without
 * entries are left out. What is added goes to the first part that can grow.
 */
export function mixedExperience(portions: readonly Portion[]): Experience {
  if (portions.length === 0) fail("mixedExperience", "has no parts.");
  const total = (of: (e: Experience) => number) => portions.reduce((n, p) => n + of(p.of), 0);
  return {
    get size() {
      return total((e) => e.size);
    },
    capacity: total((e) => e.capacity),
    bytes: total((e) => e.bytes),
    add: (what) => portions[0].of.add(what),
    sample(count, key) {
      const counts = split(portions, count, key);
      const keys = random.splitKey(key, portions.length + 1);
      const batches = portions.flatMap(({ of }, i) => (counts[i] > 0 ? [of.sample(counts[i], keys[i])] : []));
      return joined(batches);
    },
    save: (): Snapshot => portions.map(({ of }) => of.save()),
    restore: (from) => portions.forEach(({ of }, i) => of.restore((from as Snapshot[])[i])),
  };
}

/** How many entries each part gives. */
function split(portions: readonly Portion[], count: number, key: Tensor): number[] {
  const shares = portions.map(({ of, share }) =>
    of.size > 0 ? (typeof share === "number" ? share : share.value) : 0,
  );
  const whole = shares.reduce((a, b) => a + b, 0);
  if (!(whole > 0)) fail("mixedExperience", "no part with a share above 0 has entries.");
  // One random number shifts all borders.
  const shift = random.uniform(random.foldKey(key, portions.length), []).item();
  let sum = 0;
  const borders = shares.map((s) => Math.floor(((sum += s) / whole) * count + shift));
  borders[borders.length - 1] = count;
  return borders.map((b, i) => Math.min(b, count) - (i === 0 ? 0 : Math.min(borders[i - 1], count)));
}

/** Batches of steps, one after the other, with the columns that all of them have. */
function joined(batches: readonly Batch[]): Batch {
  const [first, ...rest] = batches;
  if (rest.length === 0) return first;
  const kinds = new Set(batches.map((b) => b.index.kind));
  if (kinds.size !== 1 || !kinds.has("steps"))
    fail("mixedExperience", `joins batches of single steps; these are ${[...kinds].join(" and ")}.`);
  const names = Object.keys(first.columns).filter((n) => rest.every((b) => n in b.columns));
  const columns = Object.fromEntries(
    names.map((n) => [
      n,
      treeMap((...parts) => joinRows(parts), first.columns[n], ...rest.map((b) => b.columns[n] as Tree)),
    ]),
  );
  const count = batches.reduce((n, b) => n + (b.index as { count: number }).count, 0);
  return { columns, index: { kind: "steps", count } };
}
