import {
  add,
  and,
  eq,
  full,
  ge,
  gt,
  le,
  lt,
  maximum,
  minimum,
  mul,
  or,
  pad,
  shl,
  split,
  sub,
  type Tensor,
  where,
  zeros,
} from "@reins/tensor";
import { bottom, column4, freewayForm, lanes, pace, speeds, time } from "../../minatar/freeway.ts";
import { down, side, up } from "../../minatar/game.ts";
import { anyOf, every, flag, pickBelow, places, signOf, upright } from "../rows.ts";
import type { TracedGame } from "./game.ts";
import { cellAt } from "./screen.ts";

/** Columns as in the class: those of cars are [rows, 8], the others [rows]. */
export type FreewayState = {
  readonly [name in "y" | "rest" | "x" | "wait" | "speed" | "left"]: Tensor;
};

/** New speeds and waiting times of all cars, from two random numbers for each. */
function shuffle(drawn: Tensor): Pick<FreewayState, "wait" | "speed"> {
  const [pace, side] = split(drawn, [lanes, lanes], 1);
  const wait = add(pickBelow(pace, speeds), 1);
  return { wait, speed: mul(wait, signOf(ge(side, 0.5))) };
}

/** Freeway. */
export const freeway: TracedGame<FreewayState> = {
  form: freewayForm,
  draws: { start: 2 * lanes, frame: 2 * lanes },
  start: (rows, drawn) => ({
    y: every(rows, bottom),
    rest: every(rows, pace),
    x: zeros([rows, lanes], "i32"),
    ...shuffle(drawn),
    left: every(rows, time),
  }),
  play(state, action, drawn) {
    const { x } = state;
    const steps = and(eq(state.rest, 0), or(eq(action, up), eq(action, down)));
    const walked = minimum(add(state.y, where(steps, signOf(eq(action, down)), 0)), bottom);
    const across = eq(walked, 0);
    const y = where(across, bottom, walked);
    const fresh = shuffle(drawn);
    const wait = where(upright(across), fresh.wait, state.wait);
    const speed = where(upright(across), fresh.speed, state.speed);

    const drives = eq(wait, 0);
    const ahead = around(x, gt(speed, 0));
    const next = where(drives, ahead, x);
    const own = eq(places(lanes), upright(sub(y, 1)));
    const hit = anyOf(and(own, or(eq(x, column4), eq(next, column4))));
    const rest = where(steps, pace, state.rest);
    const left = sub(state.left, 1);
    return {
      state: {
        y: where(hit, bottom, y),
        rest: maximum(sub(rest, 1), 0),
        x: next,
        wait: where(drives, speed.abs(), sub(wait, 1)),
        speed,
        left,
      },
      reward: flag(across),
      terminated: lt(left, 0),
    };
  },
  paint({ y, x, speed }) {
    const lines = (bits: Tensor) =>
      pad(bits, [
        [0, 0],
        [1, 1],
      ]);
    const behind = shl(1, around(x, le(speed, 0)));
    const trails = Array.from({ length: speeds }, (_, i) => lines(where(eq(speed.abs(), i + 1), behind, 0)));
    return [cellAt(y, full(y.shape, column4, "i32")), lines(shl(1, x)), ...trails];
  },
};

/** The next column to the right or to the left, around the screen. */
const around = (x: Tensor, rightward: Tensor): Tensor =>
  where(rightward, where(eq(x, side - 1), 0, add(x, 1)), where(eq(x, 0), side - 1, sub(x, 1)));
