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
  maximum,
  minimum,
  mul,
  ne,
  neg,
  or,
  shl,
  shr,
  slice,
  squeeze,
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
  full,
  slowest,
  spaceInvadersForm,
  wave,
  waveLine,
  waveLines,
} from "../../minatar/space-invaders.ts";
import type { TracedGame } from "./game.ts";
import { cellAt, every, flag, moved, places, upright } from "./screen.ts";

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

const lowest = side - 1;
const lineOf = (lines: Tensor, y: number) => squeeze(slice(lines, [null, [y, y + 1]]), 1);
const linesUp = (lines: Tensor) =>
  concat([slice(lines, [null, [1, side]]), mul(slice(lines, [null, [0, 1]]), 0)], 1);
const linesDown = (lines: Tensor, top: Tensor) =>
  concat([upright(top), slice(lines, [null, [0, lowest]])], 1);
const invade = (aliens: Tensor) => where(lt(places(side), waveLines), waveLine, aliens);

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

/** All aliens move one column, or down one row and reverse; `landed` if they were in the lowest row before. */
function march({ aliens, direction }: SpaceInvadersState, when: Tensor) {
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
function drop(aliens: Tensor, x: Tensor): Tensor {
  const columns = Array.from({ length: side }, (_, y) => lineOf(aliens, y)).reduce(or);
  const present = ne(and(shr(upright(columns), places(side)), 1), 0);
  const apart = sub(places(side), upright(x));
  const near = add(mul(abs(apart), 2), flag(gt(apart, 0)));
  const bit = shl(1, argmin(where(present, near, 99), 1));
  const low = max(where(ne(and(aliens, upright(bit)), 0), places(side), -1), 1);
  return where(eq(places(side), upright(low)), upright(bit), 0);
}

/** How many bits a line has. */
function bitsIn(line: Tensor): Tensor {
  const pairs = add(and(line, 0x155), and(shr(line, 1), 0x155));
  const fours = add(and(pairs, 0x333), and(shr(pairs, 2), 0x333));
  return add(add(and(fours, 15), and(shr(fours, 4), 15)), shr(fours, 8));
}
