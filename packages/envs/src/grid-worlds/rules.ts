import type { Generator } from "@reins/core/random";
import { drift } from "./drift.ts";
import { frontOf, type GridState, put, takeAway } from "./grid-state.ts";
import { ball, box, closed, door, empty, goal, key, lava, locked, open, stepX, stepY } from "./symbols.ts";
import type { GridWorldDefinition } from "./world.ts";

const [turnLeft, turnRight, forward, pickUp, drop, toggle, done] = [0, 1, 2, 3, 4, 5, 6];

/** Outcome of a step: the episode continues, or ends in one of three ways. */
export const goesOn = 0;
export const succeeds = 1;
export const fails = 2;
export const crashes = 3;

/** Performs one step of a row's agent, by the rule of its world. */
export function act(
  state: GridState,
  world: GridWorldDefinition,
  row: number,
  action: number,
  random: Generator,
): number {
  if (world.rule === "dodge") return dodge(state, world, row, action, random);
  const outcome = doAction(state, world, row, action);
  if (world.rule === "goTo" && (action === toggle || action === done))
    return action === done && isBeside(state, world, row) ? succeeds : fails;
  if (world.rule === "pickUp" && action === pickUp && holdsTarget(state, row)) return succeeds;
  return outcome;
}

/** Objects move first; walking into a wall or into the previous cell of a moving object is a collision. */
function dodge(
  state: GridState,
  world: GridWorldDefinition,
  row: number,
  action: number,
  random: Generator,
): number {
  const ahead = state.cells[frontOf(state, world, row)];
  const isFree = ahead === empty || ahead === goal;
  drift(state, world, row, random);
  const outcome = doAction(state, world, row, action);
  return action === forward && !isFree ? crashes : outcome;
}

function doAction(state: GridState, world: GridWorldDefinition, row: number, action: number): number {
  const { cells, direction, heldKind, heldColor } = state;
  const at = frontOf(state, world, row);
  const kind = cells[at];
  if (action === turnLeft) direction[row] = (direction[row] + 3) % 4;
  else if (action === turnRight) direction[row] = (direction[row] + 1) % 4;
  else if (action === forward) return walk(state, row, kind, cells[at + 2]);
  else if (action === pickUp && heldKind[row] === 0 && (kind === key || kind === ball || kind === box)) {
    heldKind[row] = kind;
    heldColor[row] = cells[at + 1];
    takeAway(state, at);
  } else if (action === drop && heldKind[row] !== 0 && kind === empty) {
    put(state, at, heldKind[row], heldColor[row]);
    heldKind[row] = heldColor[row] = 0;
  } else if (action === toggle) toggleAt(state, row, at);
  return goesOn;
}

function walk({ x, y, direction }: GridState, row: number, kind: number, status: number): number {
  const isFree = kind === empty || kind === goal || kind === lava || (kind === door && status === open);
  if (!isFree) return goesOn;
  x[row] += stepX[direction[row]];
  y[row] += stepY[direction[row]];
  return kind === goal ? succeeds : kind === lava ? fails : goesOn;
}

/** Opens and closes doors, locked ones with their key; boxes vanish. */
function toggleAt(state: GridState, row: number, at: number): void {
  const { cells, heldKind, heldColor } = state;
  if (cells[at] === box) takeAway(state, at);
  if (cells[at] !== door) return;
  const hasKey = heldKind[row] === key && heldColor[row] === cells[at + 1];
  if (cells[at + 2] !== locked) cells[at + 2] = cells[at + 2] === open ? closed : open;
  else if (hasKey) cells[at + 2] = open;
}

function isBeside({ x, y, targetCell }: GridState, { width }: GridWorldDefinition, row: number): boolean {
  const column = targetCell[row] % width;
  const line = Math.floor(targetCell[row] / width);
  return Math.abs(column - x[row]) + Math.abs(line - y[row]) === 1;
}

function holdsTarget({ heldKind, heldColor, targetKind, targetColor }: GridState, row: number): boolean {
  return heldKind[row] === targetKind[row] && heldColor[row] === targetColor[row];
}
