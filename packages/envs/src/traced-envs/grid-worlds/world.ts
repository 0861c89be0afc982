import { discrete, type EnvSpec, fail, type TracedEnv } from "@reins/core";
import {
  add,
  and,
  eq,
  mul,
  or,
  shr,
  slice,
  sub,
  type Tensor,
  take,
  tensor,
  treeMap,
  where,
} from "@reins/tensor";
import type { GridWorldOptions } from "../../grid-worlds/grid-world.ts";
import { missionText } from "../../grid-worlds/missions.ts";
import { observationOf } from "../../grid-worlds/observations.ts";
import { type Scene, worldPicture, worldText } from "../../grid-worlds/rendering.ts";
import { door, empty, goal, key, lava, locked, open, yellow } from "../../grid-worlds/symbols.ts";
import { hasSeen } from "../../grid-worlds/view.ts";
import type { GridWorldDefinition } from "../../grid-worlds/world.ts";
import { columnsOf, uniformTable } from "../../physics/random-columns.ts";
import { limited } from "../../step-limit.ts";
import { every, flag } from "../rows.ts";
import { code, type LevelState, type TracedLevel } from "./levels.ts";
import { pixelsOf } from "./pixels.ts";
import { cellAt, facing, planesOf, symbolsOf, viewOf } from "./view.ts";

const [turnLeft, turnRight, forward, pickUp, drop, toggle] = [0, 1, 2, 3, 4, 5];
const encoders = { symbols: symbolsOf, planes: planesOf, pixels: pixelsOf };

/** Longest time limit for which rewards are tabulated. */
const longest = 2 ** 16;

/** A grid world in tensor operations: a goal to reach, and in some levels a door with its key. */
export function tracedGridWorld(
  world: GridWorldDefinition,
  level: TracedLevel,
  { view = "symbols", mission = "numbers", levels, maxSteps }: GridWorldOptions = {},
): TracedEnv<Record<string, never>, LevelState> {
  const { id, width: side, seeThrough = false } = world;
  if (mission === "text")
    fail(id, 'traced is set, and then mission must be "numbers". Leave out one of them.');
  if (levels !== undefined)
    fail(id, "traced is set, and then every episode has a new level. Leave out levels.");
  const spec: EnvSpec = {
    id,
    observation: observationOf(world, view, mission),
    action: discrete(7),
    maxSteps: world.maxSteps,
  };
  const own = (held: Tensor | undefined, x: Tensor) =>
    held
      ? where(eq(held, 1), code(key, yellow), every(x.shape[0], code(empty)))
      : every(x.shape[0], code(empty));
  const seen = (state: LevelState) => viewOf(level, side, seeThrough, state, own(state.held, state.x));
  const rewardAt = rewardsOf(maxSteps ?? world.maxSteps);
  const sceneOf = (state: LevelState, row: number): Scene => {
    const one = treeMap((t) => slice(t, [[row, row + 1]]), state) as LevelState;
    const [x, y, direction] = [one.x.item(), one.y.item(), one.direction.item()];
    const places = Array.from({ length: side * side }, (_, i) => i);
    const at = (f: (i: number) => number) => tensor(Int32Array.from(places, f));
    const codes = cellAt(
      level,
      side,
      one,
      at((i) => i % side),
      at((i) => Math.floor(i / side)),
    ).data;
    const symbols = symbolsOf(seen(one)).data as Int32Array;
    const held = one.held?.item() === 1;
    return {
      ...{ width: side, height: side, x, y, direction },
      cells: places.flatMap((i) => [codes[i] & 15, (codes[i] >> 4) & 15, codes[i] >> 8]),
      ...{ heldKind: held ? key : 0, heldColor: held ? yellow : 0 },
      mission: missionText(world.mission, 0, 0),
      isSeen: (column, line) => hasSeen({ symbols, at: 0 }, column, line, x, y, direction),
    };
  };
  return {
    spec: limited(spec, maxSteps),
    rowKeys: true,
    reset: (_, rows, key) => ({
      ...level.start(rows, columnsOf(uniformTable(key, rows, level.draws))),
      steps: every(rows, 0),
    }),
    observe: (_, state) => ({ image: encoders[view](seen(state)), direction: state.direction }),
    step(_, state, given) {
      const action = given as Tensor;
      const { dx, dy } = facing(state.direction);
      const [x, y] = [add(state.x, dx), add(state.y, dy)];
      const ahead = cellAt(level, side, state, x, y);
      const kind = and(ahead, 15);
      const isOpen = and(eq(kind, door), eq(shr(ahead, 8), open));
      const isFree = or(or(eq(kind, empty), eq(kind, goal)), or(eq(kind, lava), isOpen));
      const walks = and(eq(action, forward), isFree);
      const turn = sub(flag(eq(action, turnRight)), flag(eq(action, turnLeft)));
      const steps = add(state.steps, 1);
      const succeeds = and(walks, eq(kind, goal));
      return {
        state: {
          ...state,
          ...(level.keyed ? handle(state, action, ahead, x, y) : {}),
          x: where(walks, x, state.x),
          y: where(walks, y, state.y),
          direction: and(add(state.direction, turn), 3),
          steps,
        },
        reward: where(succeeds, rewardAt(steps), 0),
        terminated: or(succeeds, and(walks, eq(kind, lava))),
      };
    },
    render: (_, state, row) => worldText(sceneOf(state, row)),
    picture: (_, state, row) => worldPicture(sceneOf(state, row)),
  };
}

/** The key is picked up or dropped, or the door opened or closed. */
function handle(state: LevelState, action: Tensor, ahead: Tensor, x: Tensor, y: Tensor): LevelState {
  const { held, keyX, keyY, doorStatus } = state;
  const has = eq(held, 1);
  const kind = and(ahead, 15);
  const takes = and(eq(action, pickUp), eq(kind, key));
  const drops = and(and(eq(action, drop), has), eq(kind, empty));
  const may = or(has, sub(doorStatus, locked).ne(0));
  const toggles = and(and(eq(action, toggle), eq(kind, door)), may);
  return {
    held: where(takes, 1, where(drops, 0, held)),
    // A carried key is nowhere.
    keyX: where(takes, -1, where(drops, x, keyX)),
    keyY: where(takes, -1, where(drops, y, keyY)),
    doorStatus: where(toggles, flag(eq(doorStatus, open)), doorStatus),
  };
}

/** The reward for success by the number of steps: a table has the bits of f64 arithmetic. */
function rewardsOf(most: number): (steps: Tensor) => Tensor {
  if (most > longest) return (steps) => sub(1, mul(steps.cast("f32"), 0.9 / most));
  const table = tensor(Float32Array.from({ length: most + 1 }, (_, steps) => 1 - 0.9 * (steps / most)));
  return (steps) => take(table, steps);
}
