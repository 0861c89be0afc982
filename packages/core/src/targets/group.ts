import type { Batch } from "../batch.ts";
import { fail } from "../errors.ts";

/** How a group's rewards become advantages. */
export interface GroupOptions {
  /** "std" divides by the group's standard deviation, "none" does not scale. */
  scale?: "std" | "none";
  /** "mean" is the group mean, "others" the leave-one-out mean (unbiased). */
  baseline?: "mean" | "others";
}

/**
 * Group-relative advantages (GRPO, Shao et al., 2024; RLOO, Ahmadian et al., 2024): one number per
 * episode. Needs no critic. A group whose rewards are all equal gives 0.
 */
export function groupRelative(
  rewards: ArrayLike<number>,
  groups: readonly number[],
  { scale = "std", baseline = "mean" }: GroupOptions = {},
): Float32Array {
  const members = new Map<number, number[]>();
  groups.forEach((g, e) => members.set(g, [...(members.get(g) ?? []), e]));
  const out = new Float32Array(groups.length);
  for (const own of members.values()) {
    const n = own.length;
    const sum = own.reduce((s, e) => s + rewards[e], 0);
    const mean = sum / n;
    // The unbiased standard deviation, as in the reference implementations; 0 for a group of one.
    const std = n > 1 ? Math.sqrt(own.reduce((s, e) => s + (rewards[e] - mean) ** 2, 0) / (n - 1)) : 0;
    for (const e of own) {
      const against = baseline === "mean" || n === 1 ? mean : (sum - rewards[e]) / (n - 1);
      out[e] = (rewards[e] - against) / (scale === "std" ? std + 1e-6 : 1);
    }
  }
  return out;
}

/** The group of each episode of a batch. */
export function groupsOf(batch: Batch): readonly number[] {
  return episodesOf(batch, "groupsOf").groups;
}

/** Repeats one number per episode for each of its steps. */
export function spread(values: ArrayLike<number>, batch: Batch): Float32Array {
  const { starts } = episodesOf(batch, "spread");
  const out = new Float32Array(starts[starts.length - 1]);
  for (let e = 0; e < starts.length - 1; e++) out.fill(values[e], starts[e], starts[e + 1]);
  return out;
}

/** The index of a batch of episodes; throws for other batches. */
export function episodesOf({ index }: Batch, what: string): Extract<Batch["index"], { kind: "episodes" }> {
  return index.kind === "episodes" ? index : fail(what, `needs a batch of episodes, not of ${index.kind}.`);
}
