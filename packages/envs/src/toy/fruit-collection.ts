import { fail } from "@reins/core";
import type { Generator } from "@reins/core/random";
import { type TabularMdp, type TransitionOutcome, tabularMdp } from "../tabular/mdp.ts";

/** Positions as cell indices: row × size + column. */
export interface FruitLayout {
  /** Cells in a row and in a column. */
  readonly size: number;
  readonly fruits: readonly number[];
  readonly dangers: readonly number[];
  readonly start: number;
}

/** Options of a garden. */
export interface FruitOptions {
  /** Probability that the agent moves in a random direction instead. */
  readonly slip?: number;
  /** Cost of entering or staying in a danger. */
  readonly penalty?: number;
  readonly maxSteps?: number;
}

/** A garden as an MDP, and the meaning of its states. */
export interface FruitModel {
  readonly layout: FruitLayout;
  readonly mdp: TabularMdp;
  /** The agent's cell. */
  cell(state: number): number;
  /** Whether a fruit is still there. */
  has(state: number, fruit: number): boolean;
}

/** Row and column offsets of up, right, down, left and stay. */
const moves = [
  [-1, 0],
  [0, 1],
  [1, 0],
  [0, -1],
  [0, 0],
] as const;

/**
 * A garden with fruits to collect, reward 1 each, and dangers to avoid; the episode ends with the last fruit.
 * Actions are up, right, down, left and stay. After Laroche et al., "Multi-Advisor Reinforcement Learning" (2017).
 */
export function fruitCollectionModel(layout: FruitLayout, options: FruitOptions = {}): FruitModel {
  const { size, fruits, dangers, start } = layout;
  const { slip = 0, penalty = 1, maxSteps = 100 } = options;
  const cells = size * size;
  const all = 2 ** fruits.length - 1;
  const taken = [...fruits, ...dangers, start];
  if (new Set(taken).size < taken.length || taken.some((c) => !(c >= 0 && c < cells)))
    fail("fruit collection", `fruits, dangers and the start need separate cells, 0 to ${cells - 1}.`);

  /** The outcome of one direction. */
  const go = (state: number, direction: number, probability: number): TransitionOutcome => {
    const [cell, left] = [state % cells, Math.floor(state / cells)];
    const [row, column] = [
      Math.floor(cell / size) + moves[direction][0],
      (cell % size) + moves[direction][1],
    ];
    const to = row < 0 || row >= size || column < 0 || column >= size ? cell : row * size + column;
    const fruit = fruits.indexOf(to);
    const picked = fruit >= 0 && (left >> fruit) & 1;
    const rest = picked ? left - 2 ** fruit : left;
    return {
      probability,
      state: rest * cells + to,
      reward: (picked ? 1 : 0) - (dangers.includes(to) ? penalty : 0),
      terminated: rest === 0,
    };
  };
  const states = (all + 1) * cells;
  const mdp = tabularMdp(
    {
      id: "FruitCollection-v0",
      states,
      actions: moves.length,
      start: Array.from({ length: states }, (_, s) => (s === all * cells + start ? 1 : 0)),
      maxSteps,
    },
    (state, action) => [
      go(state, action, 1 - slip),
      ...(slip > 0 ? [0, 1, 2, 3].map((direction) => go(state, direction, slip / 4)) : []),
    ],
  );
  return {
    layout,
    mdp,
    cell: (state) => state % cells,
    has: (state, fruit) => ((Math.floor(state / cells) >> fruit) & 1) === 1,
  };
}

/** A random layout. */
export function randomFruitLayout(
  random: Generator,
  { size, fruits, dangers }: { size: number; fruits: number; dangers: number },
): FruitLayout {
  const cells = [...random.permutation(size * size)];
  return {
    size,
    fruits: cells.slice(0, fruits),
    dangers: cells.slice(fruits, fruits + dangers),
    start: cells[fruits + dangers],
  };
}
