import type { Generator } from "@reins/core/random";

/** Discount factor. */
export const gamma = 0.95;

/** A grid with a treasure at one of several sites, and a map whose cell tells the site. */
export interface TreasureHunt {
  readonly size: number;
  readonly sites: readonly number[];
  readonly map: number;
  readonly start: number;
}

/** Cells are random; the map is farther from the start than half of the grid's side. */
export function randomHunt(
  random: Generator,
  { size, sites }: { size: number; sites: number },
): TreasureHunt {
  for (;;) {
    const [start, map, ...others] = random.permutation(size * size);
    const hunt = { size, start, map, sites: others.slice(0, sites) };
    if (distance(hunt, start, map) > size / 2) return hunt;
  }
}

const distance = ({ size }: TreasureHunt, a: number, b: number): number =>
  Math.abs((a % size) - (b % size)) + Math.abs(Math.floor(a / size) - Math.floor(b / size));

/** The cell after a move; the border stops it. */
export function moved({ size }: TreasureHunt, cell: number, action: number): number {
  const [x, y] = [cell % size, Math.floor(cell / size)];
  if (action === 0) return x + 1 < size ? cell + 1 : cell;
  if (action === 1) return x > 0 ? cell - 1 : cell;
  if (action === 2) return y + 1 < size ? cell + size : cell;
  return y > 0 ? cell - size : cell;
}

/** The cells of the optimal policy for a known site: first along a row, then along a column. */
export function pathTo(hunt: TreasureHunt, from: number, to: number): number[] {
  const path: number[] = [];
  for (let cell = from; cell !== to; path.push(cell)) {
    const [dx, dy] = [
      (to % hunt.size) - (cell % hunt.size),
      Math.floor(to / hunt.size) - Math.floor(cell / hunt.size),
    ];
    cell = moved(hunt, cell, dx > 0 ? 0 : dx < 0 ? 1 : dy > 0 ? 2 : 3);
  }
  return path;
}

/** A belief is the set of sites that are still possible, as bits; all are equally likely. */
export const possible = (belief: number, site: number): boolean => ((belief >> site) & 1) === 1;

/** The belief after a visit of a cell where there is no treasure. */
export function updated(hunt: TreasureHunt, belief: number, cell: number, truth: number): number {
  if (cell === hunt.map) return 1 << truth;
  const site = hunt.sites.indexOf(cell);
  return site >= 0 && site !== truth ? belief & ~(1 << site) : belief;
}

/**
 * Cross-values: `cross(cell, truth, guess)` is the discounted return with the treasure at `truth` of the policy that is
 * optimal if it is at `guess`.
 */
export function crossValues(hunt: TreasureHunt): (cell: number, truth: number, guess: number) => number {
  const cells = hunt.size * hunt.size;
  const n = hunt.sites.length;
  const table = new Float64Array(cells * n * n);
  for (let cell = 0; cell < cells; cell++)
    for (let guess = 0; guess < n; guess++) {
      let discount = 1;
      for (const passed of pathTo(hunt, cell, hunt.sites[guess])) {
        const truth = hunt.sites.indexOf(passed);
        if (truth >= 0 && table[(cell * n + truth) * n + guess] === 0)
          table[(cell * n + truth) * n + guess] = discount;
        discount *= gamma;
      }
    }
  return (cell, truth, guess) => table[(cell * n + truth) * n + guess];
}

/** What can be predicted in a state of information: the value, and the site for which one would act. */
export interface Prediction {
  readonly value: number;
  readonly guess: number;
}

/** The highest expected cross-value of a cell and a belief, for all of them. */
export function predictions(hunt: TreasureHunt): (cell: number, belief: number) => Prediction {
  const [cross, n, cells] = [crossValues(hunt), hunt.sites.length, hunt.size * hunt.size];
  const table: Prediction[] = [];
  for (let cell = 0; cell < cells; cell++)
    for (let belief = 0; belief < 1 << n; belief++) {
      const truths = hunt.sites.map((_, i) => i).filter((i) => possible(belief, i));
      let best: Prediction = { value: 0, guess: truths[0] ?? 0 };
      for (const guess of truths) {
        const value = truths.reduce((sum, truth) => sum + cross(cell, truth, guess), 0) / truths.length;
        if (value > best.value) best = { value, guess };
      }
      table.push(best);
    }
  return (cell, belief) => table[cell * (1 << n) + belief];
}

/** The expected value if the site were known: the mean over sites of the values of their own policies. */
export function informedValue(hunt: TreasureHunt): (cell: number, belief: number) => number {
  const [cross, n] = [crossValues(hunt), hunt.sites.length];
  return (cell, belief) => {
    let [sum, count] = [0, 0];
    for (let i = 0; i < n; i++)
      if (possible(belief, i)) {
        sum += cross(cell, i, i);
        count++;
      }
    return count === 0 ? 0 : sum / count;
  };
}

/** The highest expected discounted return from the start, by value iteration over cells and beliefs. */
export function optimalReturn(hunt: TreasureHunt): number {
  const [cells, n] = [hunt.size * hunt.size, hunt.sites.length];
  const beliefs = 1 << n;
  const values = new Float64Array(cells * beliefs);
  const site = Int32Array.from({ length: cells }, (_, cell) => hunt.sites.indexOf(cell));
  const next = Int32Array.from({ length: cells * 4 }, (_, i) => moved(hunt, i >> 2, i & 3));
  // Beliefs only shrink, so that smaller sets of bits, which are smaller numbers, come first.
  for (let belief = 1; belief < beliefs; belief++) {
    let count = 0;
    for (let i = 0; i < n; i++) count += (belief >> i) & 1;
    for (let change = 1; change > 1e-9; ) {
      change = 0;
      for (let cell = 0; cell < cells; cell++) {
        let best = 0;
        for (let a = 0; a < 4; a++) {
          const to = next[cell * 4 + a];
          const at = to * beliefs;
          let value = gamma * values[at + belief];
          if (site[to] >= 0 && possible(belief, site[to]))
            value = (1 + (count - 1) * gamma * values[at + (belief & ~(1 << site[to]))]) / count;
          else if (to === hunt.map) {
            value = 0;
            for (let i = 0; i < n; i++)
              if (possible(belief, i)) value += (gamma * values[at + (1 << i)]) / count;
          }
          best = Math.max(best, value);
        }
        change = Math.max(change, Math.abs(best - values[cell * beliefs + belief]));
        values[cell * beliefs + belief] = best;
      }
    }
  }
  return values[hunt.start * beliefs + beliefs - 1];
}
