import {
  abs,
  add,
  and,
  argmin,
  concat,
  eq,
  gt,
  lt,
  max,
  mul,
  ne,
  neg,
  or,
  shl,
  shr,
  slice,
  squeeze,
  sub,
  type Tensor,
  where,
} from "@reins/tensor";
import { side } from "../../minatar/game.ts";
import { full, waveLine, waveLines } from "../../minatar/space-invaders.ts";
import { every, flag, places, upright } from "../rows.ts";

/** The lowest line. */
export const lowest = side - 1;
/** One line of each row. */
export const lineOf = (lines: Tensor, y: number) => squeeze(slice(lines, [null, [y, y + 1]]), 1);
/** All lines move up; the lowest becomes empty. */
export const linesUp = (lines: Tensor) =>
  concat([slice(lines, [null, [1, side]]), mul(slice(lines, [null, [0, 1]]), 0)], 1);
/** All lines move down, below a new one. */
export const linesDown = (lines: Tensor, top: Tensor) =>
  concat([upright(top), slice(lines, [null, [0, lowest]])], 1);
/** A new wave in the upper lines. */
export const invade = (aliens: Tensor) => where(lt(places(side), waveLines), waveLine, aliens);

/** All aliens move one column, or down one row and reverse; `landed` if they were in the lowest row before. */
export function march(
  { aliens, direction }: { readonly aliens: Tensor; readonly direction: Tensor },
  when: Tensor,
) {
  const leftward = lt(direction, 0);
  const edge = where(leftward, 0, every(direction.shape[0], lowest));
  const atEdge = ne(max(and(shr(aliens, upright(edge)), 1), 1), 0);
  const aside = where(upright(leftward), shr(aliens, 1), and(shl(aliens, 1), full));
  const landing = lineOf(aliens, lowest);
  const turns = and(when, atEdge);
  return {
    aliens: where(upright(turns), linesDown(aliens, landing), where(upright(when), aside, aliens)),
    direction: where(turns, neg(direction), direction),
    landed: and(turns, ne(landing, 0)),
  };
}

/** The bomb of the lowest alien in the column nearest to the cannon, the left one of two. */
export function drop(aliens: Tensor, x: Tensor): Tensor {
  const columns = Array.from({ length: side }, (_, y) => lineOf(aliens, y)).reduce(or);
  const present = ne(and(shr(upright(columns), places(side)), 1), 0);
  const apart = sub(places(side), upright(x));
  const near = add(mul(abs(apart), 2), flag(gt(apart, 0)));
  const bit = shl(1, argmin(where(present, near, 99), 1));
  const low = max(where(ne(and(aliens, upright(bit)), 0), places(side), -1), 1);
  return where(eq(places(side), upright(low)), upright(bit), 0);
}

/** How many bits a line has. */
export function bitsIn(line: Tensor): Tensor {
  const pairs = add(and(line, 0x155), and(shr(line, 1), 0x155));
  const fours = add(and(pairs, 0x333), and(shr(pairs, 2), 0x333));
  return add(add(and(fours, 15), and(shr(fours, 4), 15)), shr(fours, 8));
}
