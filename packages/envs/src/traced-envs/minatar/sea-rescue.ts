import {
  add,
  and,
  div,
  eq,
  gt,
  le,
  lt,
  mul,
  ne,
  not,
  or,
  stack,
  sub,
  type Tensor,
  where,
} from "@reins/tensor";
import { crew, diverWait, mostOxygen } from "../../minatar/seaquest.ts";
import { columnsOf } from "../../physics/random-columns.ts";
import { every, flag, signOf } from "../rows.ts";
import { onScreen } from "./screen.ts";
import { pack, unpack } from "./swimmers.ts";

/** Divers move, and those in the player's cell come aboard while there is room; the newest goes first. */
export function moveDivers(list: Tensor, before: Tensor, x: Tensor, y: Tensor) {
  const swimmers = unpack(list);
  const columns = Object.fromEntries(Object.entries(swimmers).map(([name, t]) => [name, columnsOf(t)]));
  let aboard = before;
  const divers = columns.kind.map((kind, i) => {
    const [rightward, from, line, wait] = ["rightward", "x", "y", "wait"].map((name) => columns[name][i]);
    const room = and(gt(kind, 0), and(eq(line, y), lt(aboard, crew)));
    const taken = and(room, eq(from, x));
    const goes = and(not(taken), eq(wait, 0));
    const to = where(goes, add(from, signOf(gt(rightward, 0))), from);
    const all = or(taken, and(room, and(goes, eq(to, x))));
    aboard = add(aboard, flag(all));
    const stays = and(onScreen(to), not(all));
    return pack({
      kind: where(stays, kind, 0),
      rightward,
      x: to,
      y: line,
      wait: where(goes, diverWait, sub(wait, 1)),
      reload: mul(wait, 0),
    });
  });
  return { divers: stack(divers, 1), aboard };
}

/** Columns of oxygen and difficulty. */
export type Air = {
  readonly [name in "y" | "aboard" | "oxygen" | "surfaced" | "spawnSpeed" | "moveSpeed" | "ramps"]: Tensor;
};

/** Oxygen falls under water; the surface refills it, for a diver. */
export function breathe({ y, ...state }: Air, ramping: boolean) {
  const { aboard, oxygen, surfaced } = state;
  const under = gt(y, 0);
  const arrives = and(not(under), eq(surfaced, 0));
  const alone = and(arrives, eq(aboard, 0));
  const saved = and(arrives, ne(aboard, 0));
  const full = and(saved, eq(aboard, crew));
  const rest = where(full, every(y.shape[0], 0), aboard);
  return {
    state: {
      // As in the original, surfacing with six costs one diver afterwards.
      aboard: sub(rest, flag(saved)),
      oxygen: where(saved, mostOxygen, sub(oxygen, flag(under))),
      surfaced: where(under, 0, where(saved, 1, surfaced)),
      ...ramp(state, ramping ? saved : and(saved, not(saved))),
    },
    reward: where(full, div(mul(oxygen, 10), mostOxygen), 0),
    over: or(le(oxygen, 0), alone),
  };
}

function ramp({ spawnSpeed, moveSpeed, ramps }: Omit<Air, "y">, when: Tensor) {
  const active = and(when, or(gt(spawnSpeed, 1), gt(moveSpeed, 2)));
  const odd = ne(and(ramps, 1), 0);
  return {
    moveSpeed: sub(moveSpeed, flag(and(and(active, odd), gt(moveSpeed, 2)))),
    spawnSpeed: sub(spawnSpeed, flag(and(active, gt(spawnSpeed, 1)))),
    ramps: add(ramps, flag(active)),
  };
}
