import { grey, isClear, stepX, stepY, unseen, wall } from "./symbols.ts";

/** Cells along each side of what an agent sees: it stands in the middle of the lowest line and looks up. */
export const viewSide = 7;
export const viewCells = viewSide * viewSide;
const half = Math.floor(viewSide / 2);

/** What an agent sees, in columns of a fixed size that are used again. */
export class View {
  /** Kind, color and status of each cell, column by column as MiniGrid has them. */
  readonly symbols = new Uint8Array(3 * viewCells);
  private readonly lit = new Uint8Array(viewCells);

  /**
   * Looks from a cell into a direction. Beyond the border there are walls. What is behind walls and closed doors is not seen, unless
   * `through`; light goes from the agent to the sides and ahead, cell by cell, as in MiniGrid.
   */
  look(
    cells: Uint8Array,
    start: number,
    width: number,
    height: number,
    x: number,
    y: number,
    direction: number,
    through: boolean,
  ): void {
    const { symbols } = this;
    const aheadX = stepX[direction];
    const aheadY = stepY[direction];
    for (let column = 0; column < viewSide; column++)
      for (let line = 0; line < viewSide; line++) {
        const aside = column - half;
        const ahead = viewSide - 1 - line;
        const worldX = x + aheadX * ahead - aheadY * aside;
        const worldY = y + aheadY * ahead + aheadX * aside;
        const to = 3 * (column * viewSide + line);
        if (worldX < 0 || worldY < 0 || worldX >= width || worldY >= height) {
          symbols[to] = wall;
          symbols[to + 1] = grey;
          symbols[to + 2] = 0;
          continue;
        }
        const from = start + 3 * (worldY * width + worldX);
        symbols[to] = cells[from];
        symbols[to + 1] = cells[from + 1];
        symbols[to + 2] = cells[from + 2];
      }
    if (!through) this.shade();
  }

  /** Whether a cell of the world was seen by whom `look` looked for last, with the same place and direction. */
  hasSeen(column: number, line: number, x: number, y: number, direction: number): boolean {
    const ahead = (column - x) * stepX[direction] + (line - y) * stepY[direction];
    const aside = (line - y) * stepX[direction] - (column - x) * stepY[direction];
    if (ahead < 0 || ahead >= viewSide || Math.abs(aside) > half) return false;
    return this.symbols[3 * ((aside + half) * viewSide + viewSide - 1 - ahead)] !== unseen;
  }

  /** What is not reached by light becomes unseen. */
  private shade(): void {
    const { symbols, lit } = this;
    lit.fill(0);
    lit[half * viewSide + viewSide - 1] = 1;
    for (let line = viewSide - 1; line >= 0; line--) {
      for (let column = 0; column < viewSide - 1; column++) this.spread(column, line, 1);
      for (let column = viewSide - 1; column > 0; column--) this.spread(column, line, -1);
    }
    for (let i = 0; i < viewCells; i++)
      if (lit[i] === 0) {
        symbols[3 * i] = unseen;
        symbols[3 * i + 1] = symbols[3 * i + 2] = 0;
      }
  }

  private spread(column: number, line: number, aside: number): void {
    const { symbols, lit } = this;
    const i = column * viewSide + line;
    if (lit[i] === 0 || !isClear(symbols[3 * i], symbols[3 * i + 2])) return;
    const beside = i + aside * viewSide;
    lit[beside] = 1;
    if (line === 0) return;
    lit[beside - 1] = 1;
    lit[i - 1] = 1;
  }
}
