import { add, and, eq, gt, lt, min, mul, not, or, stack, sub, type Tensor, where } from "@reins/tensor";
import { reloadTime } from "../../minatar/seaquest.ts";
import { columnsOf } from "../../physics/random-columns.ts";
import { anyOf, flag, places, signOf, upright } from "../rows.ts";
import { onScreen } from "./screen.ts";
import { beside, fish, inCells, isAt, pack, type Swimmers, submarine, unpack } from "./swimmers.ts";

/** A bullet of each row, if there is one. */
export interface Bullet {
  readonly there: Tensor;
  readonly x: Tensor;
  readonly y: Tensor;
  readonly rightward: Tensor;
}

/** Bullets and enemies, and how many hit, i32 [rows]. */
export interface Battle {
  readonly bullets: readonly Bullet[];
  readonly enemies: Swimmers;
  readonly hits: Tensor;
}

/** Bullets as a list, [rows, slots]. */
export const packBullets = (bullets: readonly Bullet[]): Tensor =>
  stack(
    bullets.map((b) => pack({ ...b, kind: flag(b.there), wait: mul(b.x, 0), reload: mul(b.x, 0) })),
    1,
  );

const unreachable = 2 ** 20;

/** A bullet removes the enemy of the lowest rank among those that it may hit in its cell. */
function strike({ bullets, enemies, hits }: Battle, i: number, rank: Tensor, may?: Tensor): Battle {
  const bullet = bullets[i];
  const here = and(isAt(enemies, bullet.x, bullet.y), upright(bullet.there));
  const ranks = where(may ? and(here, may) : here, rank, unreachable);
  const best = min(ranks, 1);
  const hit = lt(best, unreachable);
  const struck = eq(ranks, upright(where(hit, best, -1)));
  return {
    bullets: bullets.map((b, j) => (j === i ? { ...b, there: and(b.there, not(hit)) } : b)),
    enemies: { ...enemies, kind: where(struck, 0, enemies.kind) },
    hits: add(hits, flag(hit)),
  };
}

/** Bullets move, and hit the oldest fish in their cell, or else the oldest submarine; the newest goes first. */
export function moveBullets(list: Tensor, enemies: Swimmers): Battle {
  const { kind, rightward, x, y } = unpack(list);
  const [kinds, ways, xs, ys] = [kind, rightward, x, y].map(columnsOf);
  const bullets = kinds.map((present, i): Bullet => {
    const next = add(xs[i], signOf(gt(ways[i], 0)));
    return { there: and(gt(present, 0), onScreen(next)), x: next, y: ys[i], rightward: ways[i] };
  });
  const slots = enemies.x.shape[1];
  const rank = sub(mul(flag(eq(enemies.kind, submarine)), slots), places(slots));
  const hits = mul(kinds[0], 0);
  return bullets.reduce((battle: Battle, _, i) => strike(battle, i, add(rank, slots)), {
    bullets,
    enemies,
    hits,
  });
}

/**
 * Enemies move, and those that run into a bullet are shot: submarines before fish, the newest first, each by the
 * oldest bullet of its cell. `over`: one has met the player. `launched`: new torpedoes in each cell, 1 for one to the left
 * and 256 for one to the right; a submarine that is shot in this step still fires.
 */
export function moveEnemies(before: Battle, moveSpeed: Tensor, x: Tensor, y: Tensor) {
  const { enemies: now, bullets } = before;
  const goes = eq(now.wait, 0);
  const next = where(goes, beside(now), now.x);
  const inside = onScreen(next);
  const moved = { ...now, x: next, kind: where(inside, now.kind, 0) };
  const meets = and(goes, isAt(moved, x, y));
  const slots = next.shape[1];
  const rank = add(places(slots), mul(flag(eq(now.kind, fish)), slots));
  const candidates = and(goes, not(meets));
  let battle: Battle = { ...before, enemies: moved };
  for (let i = bullets.length - 1; i >= 0; i--) battle = strike(battle, i, rank, candidates);
  const isArmed = eq(now.kind, submarine);
  const fires = and(isArmed, eq(now.reload, 0));
  return {
    ...battle,
    enemies: {
      ...battle.enemies,
      wait: where(goes, upright(moveSpeed), sub(now.wait, 1)),
      reload: where(fires, reloadTime, sub(now.reload, flag(isArmed))),
    },
    launched: inCells(next, now.y, mul(flag(fires), add(mul(now.rightward, 255), 1))),
    over: anyOf(or(isAt(now, x, y), meets)),
  };
}
