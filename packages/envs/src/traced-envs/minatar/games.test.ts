import type { Generator } from "@reins/core/random";
import type { Tensor } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { Asterix } from "../../minatar/asterix.ts";
import { Breakout } from "../../minatar/breakout.ts";
import { Freeway } from "../../minatar/freeway.ts";
import { down, fire, left, none, right, up } from "../../minatar/game.ts";
import { Seaquest } from "../../minatar/seaquest.ts";
import { SpaceInvaders } from "../../minatar/space-invaders.ts";
import { enter, type Swimmers } from "../../minatar/swimmers.ts";
import { asterix } from "./asterix.ts";
import { breakout } from "./breakout.ts";
import { freeway } from "./freeway.ts";
import { seaquest } from "./seaquest.ts";
import { spaceInvaders } from "./space-invaders.ts";
import { type ClassState, type Columns, type Lockstep, lockstep } from "./testing.ts";

const rows = 32;
const plain = { rows, sticky: 0, allActions: true };

/** Plays both forms, and expects equal screens and every one of the events. */
function play<S extends Columns, U = ClassState>(events: readonly string[], parts: Lockstep<S, U>): void {
  const { difference, counts } = lockstep(parts);
  expect(difference).toBeUndefined();
  if (process.env.COUNTS) console.log(counts);
  expect(Object.keys(counts).sort()).toEqual([...events].sort());
}

type SeaquestColumns = ClassState & { readonly [list in "fish" | "submarines" | "bullets"]: Swimmers };

/** Many enemies and two bullets in few cells, in both forms: several meet in one step. */
function crowd(state: Columns, usual: SeaquestColumns, row: number, random: Generator): void {
  const line = random.integers(1, 9);
  const way = random.integers(0, 2);
  const put = (list: Swimmers, slots: Tensor, slot: number, kind: number, rightward: number) => {
    const [x, wait, reload] = [random.integers(3, 7), random.integers(0, 2), random.integers(0, 3)];
    const values =
      kind === 0 ? [x, line, rightward, 0, 0] : [x, line, rightward, wait, kind === 2 ? reload : 0];
    enter(list, row, x, line, rightward, values[3], values[4]);
    const packed =
      Math.max(kind, 1) + rightward * 4 + x * 8 + line * 128 + values[3] * 2048 + values[4] * 16384;
    slots.data[row * slots.shape[1] + slot] = packed;
  };
  for (const list of [usual.fish, usual.submarines, usual.bullets]) list.count[row] = 0;
  for (const slots of [state.enemies, state.bullets])
    slots.data.fill(0, row * slots.shape[1], (row + 1) * slots.shape[1]);
  // The oldest first, as in the lists of the class.
  for (let slot = random.integers(0, 6); slot >= 0; slot--) {
    const kind = random.integers(1, 3);
    put(kind === 1 ? usual.fish : usual.submarines, state.enemies, slot, kind, way);
  }
  for (const slot of [1, 0]) put(usual.bullets, state.bullets, slot, 0, random.integers(0, 2));
  state.shotTimer.data[row] = usual.shotTimer[row] = 20;
}

describe("plays as the class does, byte by byte, with the same random numbers:", () => {
  it("Breakout", () => {
    play(["brick", "lost", "new wall", "second brick", "top"], {
      game: breakout,
      usual: new Breakout(plain),
      steps: 1000,
      disturb({ wall }, { bricks, left }, row, random) {
        for (let brick = 0; brick < 30; brick++) {
          if (bricks[row * 30 + brick] === 0 || random.chance(0.5)) continue;
          bricks[row * 30 + brick] = 0;
          left[row]--;
          wall.data[row] -= 1 << brick;
        }
      },
      // Follows the ball, mostly: walls are cleared, and balls are lost.
      act: ({ x, paddle }, random) =>
        random.chance(0.05) ? random.integers(0, 6) : x > paddle ? right : x < paddle ? left : none,
      events: (before, after, reward, ended) => [
        ...(reward ? ["brick"] : []),
        ...(ended ? ["lost"] : []),
        ...(before.wall === 0 && after.wall !== 0 ? ["new wall"] : []),
        ...(before.struck && after.struck ? ["second brick"] : []),
        ...(after.y === 0 ? ["top"] : []),
      ],
    });
  });

  it("Asterix", () => {
    play(["caught", "full", "gold", "moves faster", "spawns faster", "steepest"], {
      game: asterix(),
      usual: new Asterix(plain),
      steps: 1200,
      // Ramps are far apart: the timer is moved on, or objects soon enter faster.
      disturb({ rampTimer, spawnSpeed, moveSpeed, ramps }, usual, row, random) {
        rampTimer.data[row] = usual.rampTimer[row] = 1;
        if (random.chance(0.1)) spawnSpeed.data[row] = usual.spawnSpeed[row] = 2;
        if (random.chance(0.1)) moveSpeed.data[row] = usual.moveSpeed[row] = 2;
        if (random.chance(0.1)) ramps.data[row] = usual.ramps[row] = 1;
      },
      // Flees from enemies, mostly.
      act({ x, y, thing, golden, rightward }, random) {
        const danger = (line: number) => {
          const at = thing[line - 1];
          return at >= 0 && !golden[line - 1] && Math.abs(at + (rightward[line - 1] ? 1 : -1) - x) < 3;
        };
        if (random.chance(0.05)) return random.integers(0, 6);
        if (!danger(y)) return random.chance(0.7) ? none : random.integers(1, 3);
        return y > 1 && !danger(y - 1) ? up : y < 8 && !danger(y + 1) ? down : random.integers(0, 5);
      },
      events: (before, after, reward, ended) => [
        ...(reward ? ["gold"] : []),
        ...(ended ? ["caught"] : []),
        ...(before.thing.every((x) => x >= 0) && before.spawnTimer === 0 ? ["full"] : []),
        ...(after.moveSpeed < before.moveSpeed ? ["moves faster"] : []),
        ...(after.spawnSpeed < before.spawnSpeed ? ["spawns faster"] : []),
        ...(after.spawnSpeed === 1 && after.moveSpeed === 1 ? ["steepest"] : []),
      ],
    });
  });

  it("Freeway", () => {
    play(["across", "hit", "time"], {
      game: freeway,
      usual: new Freeway(plain),
      steps: 1000,
      disturb({ left: t }, usual, row, random) {
        if (random.chance(0.05)) t.data[row] = usual.left[row] = 20;
      },
      act: (_, random) => (random.chance(0.9) ? up : random.integers(0, 6)),
      events: (before, after, reward, ended) => [
        ...(reward ? ["across"] : []),
        ...(!reward && before.y < 8 && after.y === 9 ? ["hit"] : []),
        ...(ended ? ["time"] : []),
      ],
    });
  });

  it("Seaquest", () => {
    // The bits of a packed object.
    const at = (one: number) => ({
      kind: one & 3,
      rightward: (one >> 2) & 1,
      x: (one >> 3) & 15,
      y: (one >> 7) & 15,
    });
    const count = (list: readonly number[]) => list.filter((one) => one > 0).length;
    const reached = [
      "caught",
      "crew",
      "diver",
      "faster",
      "full sea",
      "hit",
      "no air",
      "no diver",
      "surfaced",
      "two hits",
    ];
    play(reached, {
      game: seaquest(),
      usual: new Seaquest(plain),
      steps: 1000,
      // Divers come on board, enemies come faster, and air is short, now and then.
      disturb(state, usual: SeaquestColumns, row, random) {
        const { aboard, oxygen, spawnSpeed, ramps } = state;
        if (random.chance(0.5)) crowd(state, usual, row, random);
        if (random.chance(0.3)) aboard.data[row] = usual.aboard[row] = random.integers(0, 7);
        if (random.chance(0.4)) oxygen.data[row] = usual.oxygen[row] = 10;
        if (random.chance(0.3)) spawnSpeed.data[row] = usual.spawnSpeed[row] = random.integers(1, 4);
        if (random.chance(0.5)) ramps.data[row] = usual.ramps[row] = 1;
      },
      // The enemy's three numbers are skipped while none enters.
      used: (frame, { spawnTimer }) => (spawnTimer === 0 ? frame : frame.slice(3)),
      act(state, random) {
        const { x, y, enemies, aboard, oxygen } = state;
        const near = enemies.map(at).filter((one) => one.kind > 0);
        const danger = (column: number, line: number) =>
          near.some((one) => one.y === line && Math.abs(one.x - column) < 2);
        if (random.chance(0.1)) return random.integers(0, 6);
        if ((aboard >= 6 || oxygen < 20) && y > 0 && !danger(x, y - 1)) return up;
        if (danger(x, y) || y === 0) {
          if (y < 8 && !danger(x, y + 1)) return down;
          if (y > 1 && !danger(x, y - 1)) return up;
        }
        const target = near.find((one) => one.y === y);
        if (!target) return random.integers(0, 6);
        if (target.x > x !== state.rightward > 0) return target.x > x ? right : left;
        return fire;
      },
      events: (before, after, reward, ended) => [
        ...(reward === 1 ? ["hit"] : []),
        ...(reward === 2 ? ["two hits"] : []),
        ...(after.aboard > before.aboard ? ["diver"] : []),
        ...(before.aboard === 6 && after.aboard < 0 ? ["crew"] : []),
        ...(after.surfaced > before.surfaced ? ["surfaced"] : []),
        ...(after.moveSpeed < before.moveSpeed ? ["faster"] : []),
        ...(ended && before.oxygen <= 0 ? ["no air"] : []),
        ...(ended && after.y === 0 && !after.surfaced ? ["no diver"] : []),
        ...(ended && after.y > 0 && before.oxygen > 0 ? ["caught"] : []),
        ...(count(after.enemies) > 12 ? ["full sea"] : []),
      ],
    });
  });

  it("Space Invaders", () => {
    play(["bombed", "descends", "fastest", "landed", "shot", "wave"], {
      game: spaceInvaders(),
      usual: new SpaceInvaders(plain),
      steps: 1500,
      disturb({ interval }, usual, row, random) {
        if (random.chance(0.1)) interval.data[row] = usual.interval[row] = 7;
      },
      // Shoots, and avoids bombs unless it is lazy.
      act({ x, bombs }, random) {
        const above = (column: number) => bombs.slice(6).some((line) => (line >> column) & 1);
        if (above(x) && random.chance(0.95)) return above(x - 1) || x === 0 ? right : left;
        return random.chance(0.6) ? fire : random.integers(0, 4);
      },
      events: (before, after, reward, ended) => [
        ...(reward ? ["shot"] : []),
        ...(before.direction !== after.direction ? ["descends"] : []),
        ...(after.count > before.count ? ["wave"] : []),
        ...(before.interval > after.interval && after.interval === 6 ? ["fastest"] : []),
        ...(ended && after.bombs[9] ? ["bombed"] : []),
        ...(ended && !after.bombs[9] ? ["landed"] : []),
      ],
    });
  });
});
