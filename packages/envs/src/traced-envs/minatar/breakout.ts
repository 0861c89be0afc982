import {
  add,
  and,
  clamp,
  eq,
  full,
  ge,
  le,
  lt,
  mul,
  ne,
  not,
  or,
  shl,
  shr,
  squeeze,
  sub,
  type Tensor,
  where,
  xor,
} from "@reins/tensor";
import { breakoutForm } from "../../minatar/breakout.ts";
import { left, right, side } from "../../minatar/game.ts";
import { every, flag, places, signOf, upright } from "../rows.ts";
import type { TracedGame } from "./game.ts";
import { cellAt, moved } from "./screen.ts";

/** Columns as in the class, i32 [rows]; `wall` has a bit for each of 30 bricks, and `struck` is bool. */
export type BreakoutState = {
  readonly [name in "x" | "y" | "beforeX" | "beforeY" | "direction" | "paddle" | "wall" | "struck"]: Tensor;
};

const whole = 2 ** (3 * side) - 1;
const oneLine = 2 ** side - 1;

/** Breakout. */
export const breakout: TracedGame<BreakoutState> = {
  form: breakoutForm,
  draws: { start: 1, frame: 0 },
  start(rows, drawn) {
    const side = flag(ge(squeeze(drawn, 1), 0.5));
    const x = mul(side, 9);
    return {
      x,
      beforeX: x,
      y: every(rows, 3),
      beforeY: every(rows, 3),
      direction: add(side, 2),
      paddle: every(rows, 4),
      wall: every(rows, whole),
      struck: full([rows], false, "bool"),
    };
  },
  play(state, action) {
    const { x, y, direction: way, wall, struck } = state;
    const paddle = moved(state.paddle, action, left, right, 0, 9);
    const aimX = add(x, signOf(or(eq(way, 1), eq(way, 2))));
    const aimY = add(y, signOf(ge(way, 2)));
    const newX = clamp(aimX, 0, 9);
    const sideways = where(ne(aimX, newX), xor(way, 1), way);

    const atTop = lt(aimY, 0);
    const brick = add(mul(sub(aimY, 1), side), newX);
    const inWall = and(ge(aimY, 1), le(aimY, 3));
    const strikes = and(inWall, ne(and(shr(wall, clamp(brick, 0, 29)), 1), 0));
    const breaks = and(strikes, not(struck));
    const atBottom = eq(aimY, 9);
    const caught = and(atBottom, eq(x, paddle));
    const caughtAhead = and(and(atBottom, not(caught)), eq(newX, paddle));
    const lost = and(atBottom, not(or(caught, caughtAhead)));

    const broken = where(breaks, xor(wall, shl(1, clamp(brick, 0, 29))), wall);
    const turned = where(or(or(atTop, breaks), caught), sub(3, sideways), sideways);
    const stays = or(breaks, or(caught, caughtAhead));
    return {
      state: {
        x: newX,
        y: where(stays, y, where(atTop, 0, aimY)),
        beforeX: x,
        beforeY: y,
        direction: where(caughtAhead, xor(sideways, 2), turned),
        paddle,
        wall: where(and(atBottom, eq(wall, 0)), whole, broken),
        struck: strikes,
      },
      reward: flag(breaks),
      terminated: lost,
    };
  },
  paint({ x, y, beforeX, beforeY, paddle, wall }) {
    const line = places(side);
    const inWall = and(ge(line, 1), le(line, 3));
    const from = mul(clamp(sub(line, 1), 0, 2), side);
    const bricks = where(inWall, and(shr(upright(wall), from), oneLine), 0);
    return [cellAt(9, paddle), cellAt(y, x), cellAt(beforeY, beforeX), bricks];
  },
};
