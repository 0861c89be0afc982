import { add, and, div, eq, ge, mod, mul, ne, or, shl, shr, sub, type Tensor, where } from "@reins/tensor";
import {
  door,
  empty,
  goal,
  green,
  grey,
  key,
  lava,
  locked,
  red,
  wall,
  yellow,
} from "../../grid-worlds/symbols.ts";
import { every, flag, pickBelow } from "../rows.ts";

/** Columns of a level, i32 [rows]; the agent's among them. */
export type LevelState = { readonly [column: string]: Tensor };

/**
 * A kind of level in tensor operations. A level is a few numbers, from which the content of any cell is computed: no
 * map is kept.
 */
export interface TracedLevel {
  /** Random numbers of a level. */
  readonly draws: number;
  /** Samples a level: the columns `x`, `y` and `direction` of the agent, and the level's own. */
  start(rows: number, drawn: readonly Tensor[]): LevelState;
  /** What a cell within the outer walls has, as a code. */
  codeAt(state: LevelState, x: Tensor, y: Tensor): Tensor;
  /** Whether there are a door and a key: the columns `doorX`, `doorY`, `doorStatus`, `keyX`, `keyY` and `held`. */
  readonly keyed?: boolean;
}

/** Kind, color and status of a cell as one number. */
export const code = (kind: number, color = 0, status = 0): number => kind | (color << 4) | (status << 8);

const [free, goalCode, wallCode] = [code(empty), code(goal, green), code(wall, grey)];
/** What a cell on or beyond the outer walls has. */
export const outside = wallCode;

const isAt = (x: Tensor, y: Tensor, atX: Tensor | number, atY: Tensor | number) =>
  and(eq(x, atX), eq(y, atY));
const corner = (side: number, x: Tensor, y: Tensor, otherwise: Tensor | number) =>
  where(isAt(x, y, side - 2, side - 2), every1(x, goalCode), otherwise);
const every1 = (like: Tensor, value: number) => add(mul(like, 0), value);

/** One room; the agent begins in a corner, or anywhere. */
export const emptyRoom = (side: number, anywhere: boolean): TracedLevel => ({
  draws: 2,
  start(rows, [place, way]) {
    if (!anywhere) return { x: every(rows, 1), y: every(rows, 1), direction: every(rows, 0) };
    // The last cell has the goal.
    const cell = pickBelow(place, (side - 2) ** 2 - 1);
    return { ...cellOf(cell, side - 2), direction: pickBelow(way, 4) };
  },
  codeAt: (_, x, y) => corner(side, x, y, free),
});

/** The n-th cell of a room of this width in the upper left, line by line. */
const cellOf = (n: Tensor, width: number) => ({ x: add(mod(n, width), 1), y: add(div(n, width), 1) });

/** Four rooms of 8 × 8 cells, each open to its neighbours by a gap. */
export const fourRooms: TracedLevel = {
  draws: 7,
  start(_, [up, left, right, down, agent, goalPlace, way]) {
    const near = (u: Tensor) => add(pickBelow(u, 8), 1);
    const far = (u: Tensor) => add(pickBelow(u, 8), 10);
    const gaps = { up: near(up), left: near(left), right: far(right), down: far(down) };
    // 4 × 64 cells in rooms, then the gaps.
    const place = (n: Tensor): [Tensor, Tensor] => {
      const inRoom = (bits: number, room: number) =>
        add(add(and(shr(n, bits), 7), 1), mul(and(shr(n, room), 1), 9));
      const gap = (i: number) => eq(n, 256 + i);
      const x = where(
        or(gap(0), gap(3)),
        9,
        where(gap(1), gaps.left, where(gap(2), gaps.right, inRoom(0, 6))),
      );
      const y = where(or(gap(1), gap(2)), 9, where(gap(0), gaps.up, where(gap(3), gaps.down, inRoom(3, 7))));
      return [x, y];
    };
    const first = pickBelow(agent, 260);
    const other = pickBelow(goalPlace, 259);
    const [x, y] = place(first);
    const [goalX, goalY] = place(add(other, flag(ge(other, first))));
    return { x, y, direction: pickBelow(way, 4), ...gaps, goalX, goalY };
  },
  codeAt({ up, left, right, down, goalX, goalY }, x, y) {
    const vertical = and(eq(x, 9), and(ne(y, up), ne(y, down)));
    const horizontal = and(eq(y, 9), and(ne(x, left), ne(x, right)));
    const inner = where(or(vertical, horizontal), every1(x, wallCode), free);
    return where(isAt(x, y, goalX, goalY), goalCode, inner);
  },
};

/** Two rooms with a locked door between them; the key is on the agent's side. */
export const doorKey = (side: number): TracedLevel => ({
  draws: 6,
  keyed: true,
  start(rows, [wallPlace, line, column, way, doorPlace, keyPlace]) {
    const high = side - 2;
    const doorX = add(pickBelow(wallPlace, side - 4), 2);
    const wide = sub(doorX, 1);
    const [x, y] = [pickBelow(column, wide), pickBelow(line, high)];
    const agent = add(mul(x, high), y);
    const other = pickBelow(keyPlace, sub(mul(wide, high), 1));
    const cell = add(other, flag(ge(other, agent)));
    return {
      ...{ x: add(x, 1), y: add(y, 1), direction: pickBelow(way, 4) },
      ...{ doorX, doorY: add(pickBelow(doorPlace, side - 3), 1), doorStatus: every(rows, locked) },
      ...{ keyX: add(div(cell, high), 1), keyY: add(mod(cell, high), 1), held: every(rows, 0) },
    };
  },
  codeAt({ doorX, doorY, doorStatus, keyX, keyY }, x, y) {
    const doorCode = add(shl(doorStatus, 8), code(door, yellow));
    const middle = where(eq(y, doorY), doorCode, where(eq(x, doorX), wallCode, every1(y, wallCode)));
    const open = where(isAt(x, y, keyX, keyY), every1(x, code(key, yellow)), free);
    return corner(side, x, y, where(eq(x, doorX), middle, open));
  },
});

/** A stream of lava with a gap between the agent and the goal. */
export const lavaGap = (side: number): TracedLevel => ({
  draws: 2,
  start: (rows, [column, line]) => ({
    ...{ x: every(rows, 1), y: every(rows, 1), direction: every(rows, 0) },
    ...{ lavaX: add(pickBelow(column, side - 4), 2), gapY: add(pickBelow(line, side - 2), 1) },
  }),
  codeAt({ lavaX, gapY }, x, y) {
    const burns = and(eq(x, lavaX), ne(y, gapY));
    return corner(side, x, y, where(burns, every1(x, code(lava, red)), free));
  },
});
