import {
  and,
  eq,
  gt,
  lt,
  maximum,
  minimum,
  mul,
  ne,
  or,
  shl,
  sub,
  sum,
  type Tensor,
  where,
  xor,
  zeros,
} from "@reins/tensor";
import { fire, left, right, side } from "../../minatar/game.ts";
import {
  bombInterval,
  coolDown,
  fastest,
  slowest,
  spaceInvadersForm,
  wave,
} from "../../minatar/space-invaders.ts";
import { every, flag, upright } from "../rows.ts";
import type { TracedGame } from "./game.ts";
import { bitsIn, drop, invade, lineOf, linesDown, linesUp, lowest, march } from "./invaders.ts";
import { cellAt, moved } from "./screen.ts";

/** Columns as in the class: lines with a bit per column are [rows, 10], the others [rows]. */
export type SpaceInvadersState = {
  readonly [name in
    | "x"
    | "aliens"
    | "bullets"
    | "bombs"
    | "count"
    | "direction"
    | "interval"
    | "moveTimer"
    | "bombTimer"
    | "shotTimer"]: Tensor;
};

/** Space Invaders, with or without rising difficulty. */
export const spaceInvaders = (ramping = true): TracedGame<SpaceInvadersState> => ({
  form: spaceInvadersForm,
  draws: { start: 0, frame: 0 },
  start(rows) {
    const empty = zeros([rows, side], "i32");
    return {
      x: every(rows, 5),
      aliens: invade(empty),
      bullets: empty,
      bombs: empty,
      count: every(rows, wave),
      direction: every(rows, -1),
      interval: every(rows, slowest),
      moveTimer: every(rows, slowest),
      bombTimer: every(rows, bombInterval),
      shotTimer: every(rows, 0),
    };
  },
  play(state, action) {
    const { interval } = state;
    const fires = and(eq(action, fire), eq(state.shotTimer, 0));
    const shot = where(upright(fires), cellAt(lowest, state.x), 0);
    const x = moved(state.x, action, left, right, 0, 9);
    const here = shl(1, x);

    const bullets = linesUp(or(state.bullets, shot));
    const bombs = linesDown(state.bombs, mul(x, 0));
    const marches = eq(state.moveTimer, 0);
    const { aliens, direction, landed } = march(state, marches);
    const danger = or(lineOf(bombs, lowest), or(lineOf(state.aliens, lowest), lineOf(aliens, lowest)));
    const drops = eq(state.bombTimer, 0);
    const bombed = or(bombs, where(upright(drops), drop(aliens, x), 0));

    const hit = and(aliens, bullets);
    const hits = sum(bitsIn(hit), 1);
    const count = sub(state.count, hits);
    const cleared = eq(count, 0);
    const alive = xor(aliens, hit);
    return {
      state: {
        x,
        aliens: where(upright(cleared), invade(alive), alive),
        bullets: xor(bullets, hit),
        bombs: bombed,
        count: where(cleared, wave, count),
        direction,
        interval: ramping ? sub(interval, flag(and(cleared, gt(interval, fastest)))) : interval,
        moveTimer: sub(where(marches, minimum(state.count, interval), state.moveTimer), 1),
        bombTimer: sub(where(drops, bombInterval, state.bombTimer), 1),
        shotTimer: maximum(sub(where(fires, coolDown, state.shotTimer), 1), 0),
      },
      reward: hits,
      terminated: or(ne(and(danger, here), 0), landed),
    };
  },
  paint({ x, aliens, bullets, bombs, direction }) {
    const leftward = upright(lt(direction, 0));
    return [
      cellAt(lowest, x),
      aliens,
      where(leftward, aliens, 0),
      where(leftward, 0, aliens),
      bullets,
      bombs,
    ];
  },
});
