import type { Generator } from "@reins/core/random";

/** An index sampled in proportion to its weight; uniform if all weights are 0. */
export function pick(weights: readonly number[], random: Generator): number {
  const total = weights.reduce((a, b) => a + b, 0);
  if (!(total > 0)) return random.integers(weights.length);
  return random.choice(
    weights.length,
    weights.map((w) => w / total),
  );
}
