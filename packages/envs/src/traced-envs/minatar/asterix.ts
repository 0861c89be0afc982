import {
  add,
  and,
  cumsum,
  eq,
  full,
  ge,
  gt,
  lt,
  mul,
  ne,
  not,
  or,
  pad,
  sub,
  sum,
  type Tensor,
  where,
} from "@reins/tensor";
import { asterixForm, lanes, rampInterval } from "../../minatar/asterix.ts";
import { down, left, right, up } from "../../minatar/game.ts";
import { columnsOf } from "../../physics/random-columns.ts";
import { anyOf, every, flag, pickBelow, places, signOf, upright } from "../rows.ts";
import type { TracedGame } from "./game.ts";
import { cellAt, columnBit, moved } from "./screen.ts";

/** Columns as in the class: those of lanes are [rows, 8], the others [rows]. An empty lane's `thing` is -1. */
export type AsterixState = {
  readonly [name in
    | "x"
    | "y"
    | "thing"
    | "rightward"
    | "golden"
    | "spawnSpeed"
    | "spawnTimer"
    | "moveSpeed"
    | "moveTimer"
    | "rampTimer"
    | "ramps"]: Tensor;
};

type Lanes = Pick<AsterixState, "thing" | "rightward" | "golden">;

/** Asterix, with or without rising difficulty. */
export const asterix = (ramping = true): TracedGame<AsterixState> => ({
  form: asterixForm,
  draws: { start: 0, frame: 3 },
  start: (rows) => ({
    x: every(rows, 5),
    y: every(rows, 5),
    thing: full([rows, lanes], -1, "i32"),
    rightward: full([rows, lanes], false, "bool"),
    golden: full([rows, lanes], false, "bool"),
    spawnSpeed: every(rows, 10),
    spawnTimer: every(rows, 10),
    moveSpeed: every(rows, 5),
    moveTimer: every(rows, 5),
    rampTimer: every(rows, rampInterval),
    ramps: every(rows, 0),
  }),
  play(state, action, drawn) {
    const { spawnSpeed, moveSpeed } = state;
    const spawns = eq(state.spawnTimer, 0);
    const { thing, rightward, golden } = spawn(state, spawns, drawn);
    const x = moved(state.x, action, left, right, 0, 9);
    const y = moved(state.y, action, up, down, 1, 8);

    const own = eq(places(lanes), upright(sub(y, 1)));
    const meets = (at: Tensor) => and(own, eq(at, upright(x)));
    const first = meets(thing);
    const left1 = where(and(first, golden), -1, thing);
    const moves = eq(state.moveTimer, 0);
    const ahead = add(left1, mul(signOf(rightward), flag(ge(left1, 0))));
    const onward = where(upright(moves), where(gt(ahead, 9), -1, ahead), left1);
    const second = and(meets(onward), upright(moves));
    const gold = (met: Tensor) => sum(flag(and(met, golden)), 1);
    const bad = and(or(first, second), not(golden));
    return {
      state: {
        x,
        y,
        thing: where(and(second, golden), -1, onward),
        rightward,
        golden,
        spawnTimer: sub(where(spawns, spawnSpeed, state.spawnTimer), 1),
        moveTimer: sub(where(moves, moveSpeed, state.moveTimer), 1),
        ...(ramping
          ? ramp(state)
          : { spawnSpeed, moveSpeed, rampTimer: state.rampTimer, ramps: state.ramps }),
      },
      reward: add(gold(first), gold(second)),
      terminated: anyOf(bad),
    };
  },
  paint({ x, y, thing, rightward, golden }) {
    const lines = (bits: Tensor) =>
      pad(bits, [
        [0, 0],
        [1, 1],
      ]);
    const things = columnBit(thing);
    const behind = columnBit(sub(thing, signOf(rightward)));
    return [
      cellAt(y, x),
      lines(where(golden, 0, things)),
      lines(where(lt(thing, 0), 0, behind)),
      lines(where(golden, things, 0)),
    ];
  },
});

/** An object enters an empty lane, if there is one. */
function spawn({ thing, rightward, golden }: Lanes, when: Tensor, drawn: Tensor): Lanes {
  const [side, kind, lane] = columnsOf(drawn);
  const [toRight, isGold] = [lt(side, 1 / 2), lt(kind, 1 / 3)];
  const free = lt(thing, 0);
  const nth = cumsum(flag(free), 1);
  const chosen = eq(sub(nth, 1), upright(pickBelow(lane, sum(flag(free), 1))));
  const here = and(and(free, chosen), upright(when));
  return {
    thing: where(here, upright(mul(flag(not(toRight)), 9)), thing),
    rightward: where(here, upright(toRight), rightward),
    golden: where(here, upright(isGold), golden),
  };
}

function ramp({ spawnSpeed, moveSpeed, rampTimer, ramps }: AsterixState) {
  const active = or(gt(spawnSpeed, 1), gt(moveSpeed, 1));
  const due = and(active, lt(rampTimer, 0));
  const odd = ne(and(ramps, 1), 0);
  return {
    moveSpeed: sub(moveSpeed, flag(and(and(due, odd), gt(moveSpeed, 1)))),
    spawnSpeed: sub(spawnSpeed, flag(and(due, gt(spawnSpeed, 1)))),
    rampTimer: where(due, rampInterval, sub(rampTimer, flag(active))),
    ramps: add(ramps, flag(due)),
  };
}
