import {
  add,
  and,
  eq,
  expandDims,
  gt,
  iota,
  lt,
  mul,
  ne,
  or,
  permute,
  reshape,
  shl,
  shr,
  stack,
  sub,
  sum,
  type Tensor,
  where,
} from "@reins/tensor";
import { colors, door, kinds, statuses, unseen, wall } from "../../grid-worlds/symbols.ts";
import { viewSide } from "../../grid-worlds/view.ts";
import { columnsOf } from "../../physics/random-columns.ts";
import { flag } from "../rows.ts";
import { type LevelState, outside, type TracedLevel } from "./levels.ts";

const half = (viewSide - 1) / 2;

/** Offsets of the cell in front of the agent. */
export const facing = (direction: Tensor) => ({
  dx: sub(flag(eq(direction, 0)), flag(eq(direction, 2))),
  dy: sub(flag(eq(direction, 1)), flag(eq(direction, 3))),
});

/** The code of cells anywhere. */
export function cellAt(level: TracedLevel, side: number, state: LevelState, x: Tensor, y: Tensor): Tensor {
  const inside = (at: Tensor) => and(gt(at, 0), lt(at, side - 1));
  return where(and(inside(x), inside(y)), level.codeAt(state, x, y), outside);
}

/** The codes that the agent sees, [rows, columns, lines], the farthest line first; `own` is that of its own cell. */
export function viewOf(
  level: TracedLevel,
  side: number,
  seeThrough: boolean,
  state: LevelState,
  own: Tensor,
): Tensor {
  const wide = Object.fromEntries(Object.entries(state).map(([name, t]) => [name, reshape(t, [-1, 1, 1])]));
  const { dx, dy } = facing(wide.direction);
  const aside = sub(iota([1, viewSide, 1], 1), half);
  const ahead = sub(viewSide - 1, iota([1, 1, viewSide], 2));
  const x = add(wide.x, sub(mul(dx, ahead), mul(dy, aside)));
  const y = add(wide.y, add(mul(dy, ahead), mul(dx, aside)));
  const codes = cellAt(level, side, wide, x, y);
  const seen = seeThrough ? codes : where(visible(codes), codes, unseen);
  const here = and(eq(aside, 0), eq(ahead, 0));
  return where(here, reshape(own, [-1, 1, 1]), seen);
}

/** Which cells are visible: light spreads from the agent to the sides and ahead. Lines are masks with a bit per column. */
function visible(codes: Tensor): Tensor {
  const kind = and(codes, 15);
  const dark = or(eq(kind, wall), and(eq(kind, door), ne(shr(codes, 8), 0)));
  const clear = columnsOf(sum(shl(sub(1, flag(dark)), iota([viewSide, 1])), 1));
  const lines: Tensor[] = [];
  let lit = add(mul(clear[0], 0), 1 << half);
  const [first, last] = [1, 1 << (viewSide - 1)];
  const all = 2 ** viewSide - 1;
  for (let line = viewSide - 1; line >= 0; line--) {
    const toRight = and(clear[line], all - last);
    const right = spread(lit, toRight, shl, shr);
    const a = and(right, toRight);
    const toLeft = and(clear[line], all - first);
    lines.unshift(spread(right, toLeft, shr, shl));
    const b = and(lines[0], toLeft);
    lit = or(or(a, shl(a, 1)), or(b, shr(b, 1)));
  }
  return ne(and(shr(expandDims(stack(lines, 1), 1), iota([viewSide, 1])), 1), 0);
}

/** Light goes on from each lit bit through bits of `clear`, up to the next one that is not: by 1, then 2, then 4. */
function spread(lit: Tensor, clear: Tensor, on: typeof shl, back: typeof shl): Tensor {
  let [all, path] = [lit, clear];
  for (let by = 1; by < viewSide; by *= 2) {
    all = or(all, on(and(all, path), by));
    path = and(path, back(path, by));
  }
  return all;
}

/** Kind, color and status of each cell, column by column, i32 [rows, 147]. */
export function symbolsOf(codes: Tensor): Tensor {
  const parts = and(shr(expandDims(codes, 3), mul(iota([3]), 4)), 15);
  return reshape(parts, [codes.shape[0], viewSide * viewSide * 3]);
}

/** A channel for each kind, color and status, u8 [rows, 7, 7, 20], lines first. */
export function planesOf(codes: Tensor): Tensor {
  const [kind, color, status] = [and(codes, 15), and(shr(codes, 4), 15), shr(codes, 8)];
  const bits = or(or(shl(1, kind), shl(1, add(color, kinds))), shl(1, add(status, kinds + colors)));
  const channels = iota([kinds + colors + statuses]);
  return mul(and(shr(expandDims(permute(bits, [0, 2, 1]), 3), channels), 1), 255).cast("u8");
}
