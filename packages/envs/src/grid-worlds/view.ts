import { grey, isClear, stepX, stepY, unseen, wall } from "./symbols.ts";

/** Side of the agent's view in cells: it stands in the middle of the lowest row and looks up. */
export const viewSide = 7;
export const viewCells = viewSide * viewSide;
/** Numbers of one view. */
export const viewSize = 3 * viewCells;
const half = Math.floor(viewSide / 2);
/** Offset of the agent's own cell in a view. */
export const ownCell = 3 * (half * viewSide + viewSide - 1);

/** The agent's view: kind, color and status of each cell, column by column as in MiniGrid, from `at` on. */
export interface View {
  readonly symbols: Int32Array;
  readonly at: number;
}

/**
 * Computes the view from a cell of a world in a direction. Cells beyond the border are walls. Cells behind walls
 * and closed doors are hidden, unless `through`; visibility spreads from the agent to the sides and ahead, cell by
 * cell, as in MiniGrid.
 */
export function look(
  cells: Uint8Array,
  start: number,
  width: number,
  height: number,
  x: number,
  y: number,
  direction: number,
  through: boolean,
  symbols: Int32Array,
  at: number,
): void {
  const aheadX = stepX[direction];
  const aheadY = stepY[direction];
  const back = -3 * (aheadY * width + aheadX);
  let to = at;
  for (let column = 0; column < viewSide; column++) {
    // From the farthest cell of a column to the one next to the agent.
    const aside = column - half;
    let worldX = x + aheadX * (viewSide - 1) - aheadY * aside;
    let worldY = y + aheadY * (viewSide - 1) + aheadX * aside;
    let from = start + 3 * (worldY * width + worldX);
    for (let line = 0; line < viewSide; line++) {
      if (worldX < 0 || worldY < 0 || worldX >= width || worldY >= height) {
        symbols[to] = wall;
        symbols[to + 1] = grey;
        symbols[to + 2] = 0;
      } else {
        symbols[to] = cells[from];
        symbols[to + 1] = cells[from + 1];
        symbols[to + 2] = cells[from + 2];
      }
      to += 3;
      worldX -= aheadX;
      worldY -= aheadY;
      from += back;
    }
  }
  if (!through) shade(symbols, at);
}

/** Whether a cell of the world is visible from a position in a direction. */
export function hasSeen(
  { symbols, at }: View,
  column: number,
  line: number,
  x: number,
  y: number,
  direction: number,
): boolean {
  const ahead = (column - x) * stepX[direction] + (line - y) * stepY[direction];
  const aside = (line - y) * stepX[direction] - (column - x) * stepY[direction];
  if (ahead < 0 || ahead >= viewSide || Math.abs(aside) > half) return false;
  return symbols[at + 3 * ((aside + half) * viewSide + viewSide - 1 - ahead)] !== unseen;
}

/** Hides cells without visibility. Rows are masks with a bit per column. */
function shade(symbols: Int32Array, at: number): void {
  let lit = 1 << half;
  for (let line = viewSide - 1; line >= 0; line--) {
    const first = at + 3 * line;
    const clear = clearIn(symbols, first);
    let next = 0;
    for (let bit = 1; bit < 1 << (viewSide - 1); bit <<= 1)
      if (lit & clear & bit) {
        lit |= bit << 1;
        next |= bit | (bit << 1);
      }
    for (let bit = 1 << (viewSide - 1); bit > 1; bit >>= 1)
      if (lit & clear & bit) {
        lit |= bit >> 1;
        next |= bit | (bit >> 1);
      }
    for (let column = 0, i = first; column < viewSide; column++, i += 3 * viewSide)
      if (((lit >> column) & 1) === 0) {
        symbols[i] = unseen;
        symbols[i + 1] = symbols[i + 2] = 0;
      }
    lit = next;
  }
}

/** The transparent columns of a row. */
function clearIn(symbols: Int32Array, first: number): number {
  let clear = 0;
  for (let column = 0, i = first; column < viewSide; column++, i += 3 * viewSide)
    if (isClear(symbols[i], symbols[i + 2])) clear |= 1 << column;
  return clear;
}
