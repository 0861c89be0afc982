import type { BatchedEnv, BatchedOptions } from "../batch-form.ts";
import { type DrawnMdp, drawnEnv } from "../tabular/env.ts";
import { type TabularMdp, tabularMdp } from "../tabular/mdp.ts";
import { drawGrid } from "./grid.ts";
import { type Cell, gridPicture } from "./rendering.ts";

const [height, width] = [4, 12];
const start = 36;
const goal = 47;
/** Up, right, down, left: rows and columns. */
const directions = [
  [-1, 0],
  [0, 1],
  [1, 0],
  [0, -1],
];

/** Options of a cliff. */
export interface CliffWalkingOptions extends BatchedOptions {
  /** Whether a step may slide to either side. */
  readonly slippery?: boolean;
}

/** The cliff as a table. */
export function cliffWalkingModel(options: CliffWalkingOptions & { id?: string } = {}): TabularMdp {
  const { slippery = false, id = "CliffWalking-v1" } = options;
  return tabularMdp(
    {
      id,
      states: height * width,
      actions: 4,
      start: Array.from({ length: height * width }, (_, s) => (s === start ? 1 : 0)),
    },
    (from, action) => {
      const ways = slippery ? [(action + 3) % 4, action, (action + 1) % 4] : [action];
      return ways.map((way) => {
        const row = Math.min(Math.max(Math.floor(from / width) + directions[way][0], 0), height - 1);
        const column = Math.min(Math.max((from % width) + directions[way][1], 0), width - 1);
        const state = row * width + column;
        const probability = 1 / ways.length;
        if (state > start && state < goal)
          return { probability, state: start, reward: -100, terminated: false };
        return { probability, state, reward: -1, terminated: state === goal };
      });
    },
  );
}

/** The cliff with its drawings. */
export function cliffWalkingTable(options: CliffWalkingOptions & { id?: string } = {}): DrawnMdp {
  const cells = Array.from({ length: height }, (_, r) =>
    Array.from({ length: width }, (_, c) => (r < height - 1 || c === 0 ? "·" : c === width - 1 ? "⚑" : "▒")),
  );
  const ground = cells.map((row) =>
    row.map((mark): Cell => ({ color: mark === "▒" ? "#8a6d4b" : "#e6f4ea", flag: mark === "⚑" })),
  );
  return {
    model: cliffWalkingModel(options),
    draw: (state) => drawGrid(cells, state),
    picture: (state) => gridPicture(ground, state),
  };
}

/**
 * Walk along a cliff from the lower left to the lower right: up (0), right (1), down (2), left (3). Each step has
 * reward -1; a fall -100 and leads back to the start. Sutton and Barto, "Reinforcement Learning" (2018), example
 * 6.6.
 */
export const cliffWalking = (options: CliffWalkingOptions & { id?: string } = {}): BatchedEnv =>
  drawnEnv(cliffWalkingTable(options), options);
