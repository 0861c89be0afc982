import type { Generator } from "@reins/core/random";

/** Levels of a spread, steps of an episode, and the largest loss or gain that is told apart. */
const levels = 5;
export const [horizon, widest] = [6, 40];
/** Distances of the loss from the auxiliary variable, from −widest to widest. */
const width = 2 * widest + 1;
const positions = 3;

/** A market: probabilities of the next level of the spread. Positions are short, flat and long. */
export type Market = readonly Float64Array[];

/** A spread that returns to its middle, more or less strongly and surely. */
export function randomMarket(random: Generator): Market {
  return Array.from({ length: levels }, (_, level) => {
    const p = Float64Array.from({ length: levels }, (_, next) => {
      const expected = 2 + random.uniform(0.3, 0.8) * (level - 2);
      return random.uniform(0.2, 1) / (0.3 + (next - expected) ** 2);
    });
    const sum = p.reduce((a, b) => a + b);
    return p.map((x) => x / sum);
  });
}

/** The loss of a step: two for each level that moves against the position, and one for each unit traded. */
export const lossOf = (level: number, next: number, position: number, target: number): number =>
  -2 * (target - 1) * (next - level) + Math.abs(target - position);

/** An augmented state: the step, the level, the position, and the loss so far minus the auxiliary variable v. */
export const stateOf = (step: number, level: number, position: number, distance: number): number =>
  ((step * levels + level) * positions + position) * width +
  Math.max(-widest, Math.min(widest, distance)) +
  widest;

export const states = (horizon + 1) * levels * positions * width;

/** Costs of the actions (targets of the position) by augmented state. */
export type Table = Float64Array;
export const greedy = (table: Table, state: number): number => {
  let best = 0;
  for (let a = 1; a < positions; a++)
    if (table[positions * state + a] < table[positions * state + best]) best = a;
  return best;
};

/** An episode: from the middle, without a position. Calls `learn` after each step; returns the loss. */
export function play(
  market: Market,
  v: number,
  choose: (state: number) => number,
  learn: (state: number, action: number, next: number, step: number) => void,
  random: Generator,
): number {
  let [level, position, loss] = [2, 1, 0];
  for (let step = 0; step < horizon; step++) {
    const state = stateOf(step, level, position, loss - v);
    const target = choose(state);
    const next = random.choice(levels, market[level]);
    loss += lossOf(level, next, position, target);
    [level, position] = [next, target];
    learn(state, target, stateOf(step + 1, level, position, loss - v), step);
  }
  return loss;
}

/** What the distance at the end costs: the convex score f(y, v) without its part in v alone. */
export type Score = (distance: number) => number;
/** Expected shortfall at a level: v + (y − v)⁺ / (1 − level). */
export const shortfall =
  (level: number): Score =>
  (distance) =>
    Math.max(0, distance) / (1 - level);
export const distanceOf = (state: number): number => (state % width) - widest;

/** The least expected score by augmented state, by dynamic programming from the end. */
export function plan(market: Market, score: Score): Table {
  const table = new Float64Array(positions * states);
  for (let step = horizon - 1; step >= 0; step--)
    for (let level = 0; level < levels; level++)
      for (let position = 0; position < positions; position++)
        for (let distance = -widest; distance <= widest; distance++)
          for (let a = 0; a < positions; a++) {
            let cost = 0;
            for (let next = 0; next < levels; next++) {
              const after = stateOf(step + 1, next, a, distance + lossOf(level, next, position, a));
              cost +=
                market[level][next] *
                (step + 1 === horizon
                  ? score(distanceOf(after))
                  : table[positions * after + greedy(table, after)]);
            }
            table[positions * stateOf(step, level, position, distance) + a] = cost;
          }
  return table;
}

/** The distribution of the loss, from −widest to widest, under the greedy policy with this v. */
export function lossDistribution(market: Market, table: Table, v: number): Float64Array {
  let now = new Map<string, [number, number, number, number]>([["start", [2, 1, 0, 1]]]);
  for (let step = 0; step < horizon; step++) {
    const after = new Map<string, [number, number, number, number]>();
    for (const [level, position, loss, p] of now.values()) {
      const a = greedy(table, stateOf(step, level, position, loss - v));
      for (let next = 0; next < levels; next++) {
        const to = Math.max(-widest, Math.min(widest, loss + lossOf(level, next, position, a)));
        const key = `${next},${a},${to}`;
        const entry = after.get(key) ?? [next, a, to, 0];
        entry[3] += p * market[level][next];
        after.set(key, entry);
      }
    }
    now = after;
  }
  const distribution = new Float64Array(width);
  for (const [, , loss, p] of now.values()) distribution[loss + widest] += p;
  return distribution;
}

/** The expected shortfall of a distribution of losses: the mean of its worst share. */
export function shortfallOf(distribution: Float64Array, level: number): number {
  let [left, sum] = [1 - level, 0];
  for (let i = width - 1; i >= 0 && left > 0; i--) {
    const share = Math.min(left, distribution[i]);
    sum += share * (i - widest);
    left -= share;
  }
  return sum / (1 - level);
}

/** The quantile of sampled losses, which minimises the score of the shortfall over v. */
export function quantile(losses: readonly number[], level: number): number {
  const sorted = [...losses].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(level * sorted.length))];
}
