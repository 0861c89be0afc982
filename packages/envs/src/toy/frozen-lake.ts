import { fail } from "@reins/core";
import type { BatchedEnv, BatchedOptions } from "../batch-form.ts";
import { type DrawnMdp, drawnEnv } from "../tabular/env.ts";
import { type TabularMdp, tabularMdp } from "../tabular/mdp.ts";
import { drawGrid } from "./grid.ts";
import { type Cell, gridPicture } from "./rendering.ts";

/** S is the start, F ice, H a hole and G the goal. */
const maps = {
  "4x4": ["SFFF", "FHFH", "FFFH", "HFFG"],
  "8x8": ["SFFFFFFF", "FFFFFFFF", "FFFHFFFF", "FFFFFHFF", "FFFHFFFF", "FHHFFFHF", "FHFFHFHF", "FFFHFFFG"],
};
const arrows = ["←", "↓", "→", "↑"];

/** Options of a lake. */
export interface FrozenLakeOptions extends BatchedOptions {
  /** One of the two built-in lakes, or lines of S (start), F (ice), H (hole) and G (goal). */
  readonly map?: keyof typeof maps | readonly string[];
  /** Whether a step may slide to either side. */
  readonly slippery?: boolean;
  /** Probability that a step on slippery ice goes in the intended direction. */
  readonly successRate?: number;
  /** Rewards for reaching the goal, for a hole, and for any other step. */
  readonly rewards?: readonly [goal: number, hole: number, ice: number];
}

/** The lake as a table. */
export function frozenLakeModel(options: FrozenLakeOptions & { id?: string } = {}): TabularMdp {
  const { map = "4x4", slippery = true, successRate = 1 / 3, rewards = [1, 0, 0] } = options;
  const { id = "FrozenLake-v1" } = options;
  const lines = linesOf(map, id);
  const [height, width] = [lines.length, lines[0].length];
  const letter = (state: number) => lines[Math.floor(state / width)][state % width];
  const after = (state: number, direction: number): number => {
    const [row, column] = [Math.floor(state / width), state % width];
    if (direction === 0) return row * width + Math.max(column - 1, 0);
    if (direction === 1) return Math.min(row + 1, height - 1) * width + column;
    if (direction === 2) return row * width + Math.min(column + 1, width - 1);
    return Math.max(row - 1, 0) * width + column;
  };
  const outcome = (from: number, direction: number, probability: number) => {
    const state = after(from, direction);
    const at = letter(state);
    const reward = rewards[at === "G" ? 0 : at === "H" ? 1 : 2];
    return { probability, state, reward, terminated: at === "G" || at === "H" };
  };
  const states = height * width;
  const starts = [...lines.join("")].filter((l) => l === "S").length;
  const slide = (1 - successRate) / 2;
  return tabularMdp(
    {
      id,
      states,
      actions: 4,
      start: [...lines.join("")].map((l) => (l === "S" ? 1 / starts : 0)),
      maxSteps: map === "8x8" ? 200 : 100,
      solvedAt: map === "8x8" ? 0.85 : map === "4x4" ? 0.7 : undefined,
    },
    (state, action) => {
      if ("GH".includes(letter(state))) return [{ probability: 1, state, reward: 0, terminated: true }];
      if (!slippery) return [outcome(state, action, 1)];
      return [(action + 3) % 4, action, (action + 1) % 4].map((direction) =>
        outcome(state, direction, direction === action ? successRate : slide),
      );
    },
  );
}

/** The lake with its drawings. */
export function frozenLakeTable(options: FrozenLakeOptions & { id?: string } = {}): DrawnMdp {
  const lines = linesOf(options.map ?? "4x4", options.id ?? "FrozenLake-v1");
  const cells = lines.map((line) => [...line].map((l) => ({ S: "·", F: "·", H: "●", G: "⚑" })[l]!));
  const draw = (state: number, action: number) =>
    `${drawGrid(cells, state)}\n${action < 0 ? "" : `went ${arrows[action]}`}`;
  const looks: { readonly [letter: string]: Cell } = {
    S: { color: "#dbeafe" },
    F: { color: "#eaf4ff" },
    H: { color: "#eaf4ff", hole: true },
    G: { color: "#eaf4ff", flag: true },
  };
  const ice = lines.map((line) => [...line].map((l) => looks[l]));
  const picture = (state: number, action: number) =>
    gridPicture(ice, state, { text: action < 0 ? " " : `went ${arrows[action]}` });
  return { model: frozenLakeModel(options), draw, picture };
}

/**
 * Cross a frozen lake without falling into a hole: left (0), down (1), right (2), up (3). Slippery ice moves the
 * agent to either side as often as ahead.
 */
export const frozenLake = (options: FrozenLakeOptions & { id?: string } = {}): BatchedEnv =>
  drawnEnv(frozenLakeTable(options), options);

function linesOf(map: keyof typeof maps | readonly string[], id: string): readonly string[] {
  if (typeof map !== "string") {
    if (!map.length || map.some((l) => l.length !== map[0].length || /[^SFHG]/.test(l)))
      fail(id, "a map needs lines of equal length with the letters S, F, H and G.");
    if (!map.join("").includes("S")) fail(id, "the map has no start. Mark it with S.");
    return map;
  }
  return maps[map] ?? fail(id, `unknown map "${map}". Use 4x4 or 8x8, or lines of S, F, H and G.`);
}
