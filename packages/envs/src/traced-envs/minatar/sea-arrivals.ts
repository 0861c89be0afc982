import { add, and, eq, gt, lt, mul, ne, not, type Tensor, where } from "@reins/tensor";
import { diverWait, reloadTime } from "../../minatar/seaquest.ts";
import { anyOf, every, flag, pickBelow, upright } from "../rows.ts";
import { enter, pack, type Swimmers, unpack } from "./swimmers.ts";

/** Columns that decide what enters. */
type Arrivals = {
  readonly [name in "enemies" | "spawnTimer" | "moveSpeed" | "divers" | "diverTimer"]: Tensor;
};

/** An enemy enters when it is due, unless others in its line come from the other side; all get one step older. */
export function arriveEnemy(state: Arrivals, [side, kind, line]: readonly Tensor[]) {
  const spawns = eq(state.spawnTimer, 0);
  const enemy = swimmer(lt(side, 1 / 2), add(pickBelow(line, 8), 1), state.moveSpeed);
  const armed = lt(kind, 1 / 3);
  const others = unpack(state.enemies);
  const against = and(eq(others.y, upright(enemy.y)), ne(others.rightward, upright(enemy.rightward)));
  const free = not(anyOf(and(gt(others.kind, 0), against)));
  const arriving = pack({ ...enemy, kind: add(flag(armed), 1), reload: mul(flag(armed), reloadTime) });
  return { spawns, enemies: unpack(enter(state.enemies, where(and(spawns, free), arriving, 0))) };
}

/** A diver enters when it is due. */
export function arriveDiver(state: Arrivals, [, , , side, line]: readonly Tensor[]) {
  const dives = eq(state.diverTimer, 0);
  const wait = every(side.shape[0], diverWait);
  const diver = pack(swimmer(lt(side, 1 / 2), add(pickBelow(line, 8), 1), wait));
  return { dives, divers: where(upright(dives), enter(state.divers, diver), state.divers) };
}

/** An object that enters from the left or from the right. */
export const swimmer = (toRight: Tensor, y: Tensor, wait: Tensor): Swimmers => ({
  kind: every(y.shape[0], 1),
  rightward: flag(toRight),
  x: mul(flag(not(toRight)), 9),
  y,
  wait,
  reload: mul(y, 0),
});
