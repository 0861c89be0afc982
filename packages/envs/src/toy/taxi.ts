import type { Color, Point, Rendering, RenderShape } from "@reins/core";
import type { BatchedEnv, BatchedOptions } from "../batch-form.ts";
import { type DrawnMdp, drawnEnv } from "../tabular/env.ts";
import { type TabularMdp, type TransitionOutcome, tabularMdp } from "../tabular/mdp.ts";
import { type Cell, gridPicture, middleOf, wallRightOf } from "./rendering.ts";

const size = 5;
/** The four stands and their positions: red, green, yellow, blue. */
const stands = [0, 4, 20, 23];
const names = ["R", "G", "Y", "B"];
/** Walls to the right of these cells. */
const walls = new Set([1, 6, 15, 17, 20, 22]);
const riding = 4;

/** Options of a taxi. */
export interface TaxiOptions extends BatchedOptions {
  /** Whether rain makes the taxi slide to either side. */
  readonly rainy?: boolean;
  /** Probability that a drive in the rain goes in the intended direction. */
  readonly straight?: number;
}

/** A state in its parts. `cell` counts from the upper left, `passenger` is a stand or 4 in the taxi. */
interface Town {
  readonly cell: number;
  readonly passenger: number;
  readonly goal: number;
}
const encode = ({ cell, passenger, goal }: Town) => (cell * 5 + passenger) * 4 + goal;
const decode = (state: number): Town => ({
  cell: Math.floor(state / 20),
  passenger: Math.floor(state / 4) % 5,
  goal: state % 4,
});

/** The town as a table. */
export function taxiModel({ rainy = false, straight = 0.8 }: TaxiOptions = {}): TabularMdp {
  const waiting = (state: number) => {
    const { passenger, goal } = decode(state);
    return passenger < riding && passenger !== goal;
  };
  const states = size * size * 5 * 4;
  const starts = Array.from({ length: states }, (_, s) => (waiting(s) ? 1 : 0) as number);
  const total = starts.reduce((a, b) => a + b, 0);
  return tabularMdp(
    { id: "Taxi-v4", states, actions: 6, start: starts.map((s) => s / total), maxSteps: 200, solvedAt: 8 },
    (state, action) => {
      const town = decode(state);
      if (action === 4) return [pickUp(town)];
      if (action === 5) return [dropOff(town)];
      const move = (way: number, probability: number) => ({
        ...outcome({ ...town, cell: drive(town.cell, way) }, -1),
        probability,
      });
      if (!rainy) return [move(action, 1)];
      // A taxi that cannot go ahead does not slide either.
      const blocked = drive(town.cell, action) === town.cell;
      const [left, right] = sides[action];
      const slide = (1 - straight) / 2;
      return [
        move(action, straight),
        move(blocked ? action : left, slide),
        move(blocked ? action : right, slide),
      ];
    },
  );
}

/**
 * Drive a passenger from one stand to another: south (0), north (1), east (2), west (3), pick up (4), drop off
 * (5). Each step has reward -1, a delivery 20, and an illegal pick-up or drop-off -10. Dietterich, "Hierarchical
 * Reinforcement Learning with the MAXQ Value Function Decomposition" (2000).
 */
export const taxi = (options: TaxiOptions = {}): BatchedEnv => drawnEnv(taxiTable(options), options);

/** The town with its drawings. */
export const taxiTable = (options: TaxiOptions = {}): DrawnMdp => ({
  model: taxiModel(options),
  draw,
  picture,
});

/** Left and right of south, north, east and west. */
const sides = [
  [2, 3],
  [3, 2],
  [1, 0],
  [0, 1],
];

function drive(cell: number, way: number): number {
  const column = cell % size;
  if (way === 0) return cell + size < size * size ? cell + size : cell;
  if (way === 1) return cell >= size ? cell - size : cell;
  if (way === 2) return column < size - 1 && !walls.has(cell) ? cell + 1 : cell;
  return column > 0 && !walls.has(cell - 1) ? cell - 1 : cell;
}

function pickUp(town: Town): TransitionOutcome {
  const there = town.passenger < riding && stands[town.passenger] === town.cell;
  return there ? outcome({ ...town, passenger: riding }, -1) : outcome(town, -10);
}

function dropOff(town: Town): TransitionOutcome {
  const stand = stands.indexOf(town.cell);
  if (town.passenger !== riding || stand < 0) return outcome(town, -10);
  return outcome({ ...town, passenger: stand }, stand === town.goal ? 20 : -1, stand === town.goal);
}

function outcome(town: Town, reward: number, terminated = false): TransitionOutcome {
  return { probability: 1, state: encode(town), reward, terminated };
}

function draw(state: number, action: number): string {
  const { cell, passenger, goal } = decode(state);
  const lines = Array.from({ length: size }, (_, row) => {
    const cells = Array.from({ length: size }, (_, column) => {
      const here = row * size + column;
      const stand = stands.indexOf(here);
      const mark = here === cell ? (passenger === riding ? "▣" : "□") : stand < 0 ? "·" : names[stand];
      return ` ${mark} ${walls.has(here) ? "┃" : " "}`;
    });
    return `│${cells.join("").slice(0, -1)}│`;
  });
  const bar = "─".repeat(size * 4 - 1);
  return [`┌${bar}┐`, ...lines, `└${bar}┘`, said({ cell, passenger, goal }, action)].join("\n");
}

/** Caption: the passenger's position and destination, and the last action. */
function said({ passenger, goal }: Town, action: number): string {
  const where = passenger === riding ? "in the taxi" : `at ${names[passenger]}`;
  const did = action < 0 ? "" : `  ${["south", "north", "east", "west", "pick up", "drop off"][action]}`;
  return `passenger ${where}, wants to ${names[goal]}${did}`;
}

function picture(state: number, action: number): Rendering {
  const town = decode(state);
  const colors: readonly Color[] = ["#ffb3ad", "#aeeabf", "#ffe58a", "#a8d1ff"];
  const cells = Array.from({ length: size }, (_, row) =>
    Array.from({ length: size }, (_, column): Cell => {
      const stand = stands.indexOf(row * size + column);
      return stand < 0 ? { color: "#ffffff" } : { color: colors[stand], letter: names[stand] };
    }),
  );
  const [x, y] = middleOf(town.cell, size);
  const waits = town.passenger < riding ? middleOf(stands[town.passenger], size) : undefined;
  const body: Point[] = [
    [x - 17, y - 9],
    [x + 17, y - 9],
    [x + 17, y + 9],
    [x - 17, y + 9],
  ];
  const more: RenderShape[] = [
    ...[...walls].map((cell) => wallRightOf(cell, size)),
    ...(waits
      ? [{ kind: "circle", center: [waits[0] + 14, waits[1] - 14], radius: 6, color: "#8250df" } as const]
      : []),
    { kind: "polygon", points: body, color: "#24292f" },
    { kind: "circle", center: [x, y], radius: 6, color: town.passenger === riding ? "#8250df" : "#ffd33d" },
  ];
  return gridPicture(cells, town.cell, { agent: false, more, text: said(town, action) });
}
