import {
  add,
  and,
  clamp,
  div,
  eq,
  gt,
  maximum,
  mul,
  ne,
  or,
  shl,
  shr,
  sub,
  type Tensor,
  where,
  zeros,
} from "@reins/tensor";
import { down, fire, left, right, side, up } from "../../minatar/game.ts";
import { coolDown, crew, diverInterval, mostOxygen, seaquestForm } from "../../minatar/seaquest.ts";
import { columnsOf } from "../../physics/random-columns.ts";
import { anyOf, every, flag, places, signOf, upright } from "../rows.ts";
import type { TracedGame } from "./game.ts";
import { cellAt, moved } from "./screen.ts";
import { arriveDiver, arriveEnemy, swimmer } from "./sea-arrivals.ts";
import { moveBullets, moveEnemies, packBullets } from "./sea-battle.ts";
import { breathe, moveDivers } from "./sea-rescue.ts";
import {
  beside,
  enter,
  fish,
  inCells,
  linesWhere,
  pack,
  type Swimmers,
  submarine,
  unpack,
} from "./swimmers.ts";

/**
 * Columns as in the class, i32 [rows]. Lists of objects are packed, [rows, slots]. Torpedoes are lines with a bit per
 * column, as nothing distinguishes two in one cell.
 */
export type SeaquestState = {
  readonly [name in
    | "x"
    | "y"
    | "rightward"
    | "oxygen"
    | "divers"
    | "bullets"
    | "toLeft"
    | "toRight"
    | "enemies"
    | "aboard"
    | "surfaced"
    | "spawnSpeed"
    | "spawnTimer"
    | "diverTimer"
    | "moveSpeed"
    | "shotTimer"
    | "ramps"]: Tensor;
};

/** An enemy takes at most 60 steps to cross the screen: one slot per step of age. */
const slots = 60;
/** Divers enter every 30 steps and bullets every 5: at most one other is left then. */
const few = 2;

/** Seaquest, with or without rising difficulty. */
export const seaquest = (ramping = true): TracedGame<SeaquestState> => ({
  form: seaquestForm,
  draws: { start: 0, frame: 5 },
  start(rows) {
    const [zero, two, lines] = [every(rows, 0), zeros([rows, few], "i32"), zeros([rows, side], "i32")];
    return {
      ...{ x: every(rows, 5), y: zero, rightward: zero, oxygen: every(rows, mostOxygen) },
      ...{ divers: two, bullets: two, toLeft: lines, toRight: lines, enemies: zeros([rows, slots], "i32") },
      ...{ aboard: zero, surfaced: every(rows, 1), spawnSpeed: every(rows, 20), spawnTimer: every(rows, 20) },
      ...{ diverTimer: every(rows, diverInterval), moveSpeed: every(rows, 5), shotTimer: zero, ramps: zero },
    };
  },
  play(state, action, uniforms) {
    const drawn = columnsOf(uniforms);
    const { spawns, enemies } = arriveEnemy(state, drawn);
    const { dives, divers } = arriveDiver(state, drawn);

    const fires = and(eq(action, fire), eq(state.shotTimer, 0));
    const shot = pack({ ...swimmer(gt(state.rightward, 0), state.y, mul(state.y, 0)), x: state.x });
    const list = where(upright(fires), enter(state.bullets, shot), state.bullets);
    const x = moved(state.x, action, left, right, 0, 9);
    const y = moved(state.y, action, up, down, 0, 8);
    const rightward = where(eq(action, right), 1, where(eq(action, left), 0, state.rightward));

    const rescue = moveDivers(divers, state.aboard, x, y);
    const battle = moveEnemies(moveBullets(list, enemies), state.moveSpeed, x, y);
    const fromLeft = or(state.toRight, linesWhere(gt(battle.launched, 255)));
    const fromRight = or(state.toLeft, linesWhere(ne(and(battle.launched, 255), 0)));
    const toRight = and(shl(fromLeft, 1), 2 ** side - 1);
    const toLeft = shr(fromRight, 1);
    const torpedoes = or(or(fromLeft, fromRight), or(toRight, toLeft));

    const countDown = (timer: Tensor) => maximum(sub(timer, 1), 0);
    const air = breathe({ ...state, y, aboard: rescue.aboard }, ramping);
    return {
      state: {
        ...{ x, y, rightward, divers: rescue.divers, bullets: packBullets(battle.bullets), toLeft, toRight },
        ...air.state,
        enemies: pack(battle.enemies),
        spawnTimer: countDown(where(spawns, state.spawnSpeed, state.spawnTimer)),
        diverTimer: countDown(where(dives, diverInterval, state.diverTimer)),
        shotTimer: countDown(where(fires, coolDown, state.shotTimer)),
      },
      reward: add(battle.hits, air.reward),
      terminated: or(or(battle.over, air.over), anyOf(ne(and(torpedoes, cellAt(y, x)), 0))),
    };
  },
  paint({ x, y, rightward, oxygen, aboard, toLeft, toRight, ...lists }) {
    const [bullets, divers, enemies] = [lists.bullets, lists.divers, lists.enemies].map(unpack);
    const one = (list: Swimmers) => inCells(list.x, list.y, flag(gt(list.kind, 0)));
    const trail = (list: Swimmers) => inCells(beside(list, -1), list.y, flag(gt(list.kind, 0)));
    // Fish count 1 and submarines 256, so that one sum has both.
    const hostile = inCells(
      enemies.x,
      enemies.y,
      where(eq(enemies.kind, submarine), 256, flag(eq(enemies.kind, fish))),
    );
    const bottom = (mask: Tensor) => where(eq(places(side), side - 1), upright(mask), 0);
    const rear = sub(x, signOf(gt(rightward, 0)));
    const air = div(mul(maximum(oxygen, 0), 10), mostOxygen);
    const crewed = clamp(aboard, 0, crew);
    return [
      cellAt(y, x),
      cellAt(y, rear),
      gt(one(bullets), 0),
      gt(add(trail(enemies), trail(divers)), 0),
      or(toLeft, toRight),
      ne(and(hostile, 255), 0),
      gt(hostile, 255),
      bottom(sub(shl(1, air), 1)),
      bottom(shl(sub(shl(1, crewed), 1), sub(9, crewed))),
      gt(one(divers), 0),
    ];
  },
});
