import { fail } from "../errors.ts";

/** The weighted mean of each group, as one number per episode. */
export function groupMeans(
  rewards: ArrayLike<number>,
  groups: readonly number[],
  weights?: ArrayLike<number>,
): Float64Array {
  const totals = new Map<number, { sum: number; weight: number }>();
  groups.forEach((g, e) => {
    const t = totals.get(g) ?? { sum: 0, weight: 0 };
    const w = weights?.[e] ?? 1;
    totals.set(g, { sum: t.sum + w * rewards[e], weight: t.weight + w });
  });
  return Float64Array.from(groups, (g) => totals.get(g)!.sum / totals.get(g)!.weight);
}

/**
 * The advantage over the group's length-weighted mean (OPO, Hao et al., 2025): the baseline with
 * the least variance if gradients grow with length. One number per episode.
 */
export function lengthWeighted(
  rewards: ArrayLike<number>,
  groups: readonly number[],
  lengths: ArrayLike<number>,
): Float32Array {
  const baseline = groupMeans(rewards, groups, lengths);
  return Float32Array.from(groups, (_, e) => rewards[e] - baseline[e]);
}

/** The advantage over a greedy rollout of the same problem (ReMax, Li et al., 2024). One number per episode. */
export function greedyBaseline(rewards: ArrayLike<number>, greedy: ArrayLike<number>): Float32Array {
  if (greedy.length !== rewards.length)
    fail(
      "greedyBaseline",
      `got ${rewards.length} rewards, but ${greedy.length} greedy rewards. Pass one greedy reward per episode.`,
    );
  return Float32Array.from({ length: rewards.length }, (_, e) => rewards[e] - greedy[e]);
}

/** Standardises to mean 0 and standard deviation 1 over entries with `counts`; the others become 0 (REINFORCE++, Hu, 2025). */
export function whitened(values: ArrayLike<number>, counts: ArrayLike<number | boolean>): Float32Array {
  let [n, sum] = [0, 0];
  for (let i = 0; i < values.length; i++)
    if (counts[i]) {
      n++;
      sum += values[i];
    }
  const mean = sum / Math.max(1, n);
  let squares = 0;
  for (let i = 0; i < values.length; i++) if (counts[i]) squares += (values[i] - mean) ** 2;
  const scale = 1 / Math.sqrt(squares / Math.max(1, n - 1) + 1e-8);
  return Float32Array.from({ length: values.length }, (_, i) => (counts[i] ? (values[i] - mean) * scale : 0));
}
