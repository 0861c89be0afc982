import { choice, type OptionTable, size } from "@reins/core";
import { options as shared } from "../options.ts";
import { eitherForm } from "../traced-envs/forms.ts";
import type { TracedLevel } from "../traced-envs/grid-worlds/levels.ts";
import * as traced from "../traced-envs/grid-worlds/levels.ts";
import { tracedGridWorld } from "../traced-envs/grid-worlds/world.ts";
import { GridWorld, type GridWorldOptions } from "./grid-world.ts";
import type { LevelGenerator } from "./level.ts";
import { doorKey } from "./levels/door-key.ts";
import { dynamicObstacles } from "./levels/dynamic-obstacles.ts";
import { emptyRoom, emptyRoomAnywhere } from "./levels/empty.ts";
import { fourRooms } from "./levels/four-rooms.ts";
import { goToObject } from "./levels/go-to-object.ts";
import { keyCorridor } from "./levels/key-corridor.ts";
import { lavaGap } from "./levels/lava-gap.ts";
import { multiRoom } from "./levels/multi-room.ts";
import type { GridWorldDefinition } from "./world.ts";

const options = {
  view: choice(
    "symbols",
    ["symbols", "planes", "pixels"],
    "Observation: MiniGrid's numbers, a channel for each of them, or an image.",
  ),
  mission: choice("numbers", ["numbers", "text"], "Form of the mission."),
  levels: size<unknown>(
    undefined,
    "Training levels, or { train: 200, test: 100, seed: 0 }; without it every episode has a new one.",
  ),
  split: choice("train", ["train", "test"], "Which levels are played."),
} satisfies OptionTable;

/** A registry entry. */
const entry = (description: string, id: string, world: Omit<GridWorldDefinition, "id">) => ({
  description,
  options,
  make: (given: GridWorldOptions) => new GridWorld({ id, ...world }, given),
});

/** An entry that also has a form in tensor operations. */
const either = (
  description: string,
  id: string,
  world: Omit<GridWorldDefinition, "id">,
  level: TracedLevel,
) => ({
  description,
  options: { ...options, ...shared.traced },
  make: eitherForm(
    (given: GridWorldOptions) => new GridWorld({ id, ...world }, given),
    (given: GridWorldOptions) => tracedGridWorld({ id, ...world }, level, given),
    () => ({}),
  ),
});

const square = (side: number) => ({ width: side, height: side });

const empty = (name: string, side: number, generate: LevelGenerator = emptyRoom) =>
  either(
    `MiniGrid: cross an empty ${side} × ${side} room.`,
    `MiniGrid-Empty-${name}-v0`,
    {
      ...square(side),
      generate,
      rule: "goal",
      mission: "get to the green goal square",
      maxSteps: 4 * side ** 2,
      seeThrough: true,
    },
    traced.emptyRoom(side, generate === emptyRoomAnywhere),
  );

const keyAndDoor = (side: number) =>
  either(
    "MiniGrid: unlock a door with a key to get to the goal.",
    `MiniGrid-DoorKey-${side}x${side}-v0`,
    {
      ...square(side),
      generate: doorKey,
      rule: "goal",
      mission: "use the key to open the door and then get to the goal",
      maxSteps: 10 * side ** 2,
    },
    traced.doorKey(side),
  );

const gap = (side: number) =>
  either(
    "MiniGrid: get through a gap in a stream of lava.",
    `MiniGrid-LavaGapS${side}-v0`,
    {
      ...square(side),
      generate: lavaGap,
      rule: "goal",
      mission: "avoid the lava and get to the green goal square",
      maxSteps: 4 * side ** 2,
    },
    traced.lavaGap(side),
  );

const corridor = (room: number, lines: number) =>
  entry(
    "MiniGrid: search rooms along a corridor for a key, and fetch the object behind a locked door.",
    `MiniGrid-KeyCorridorS${room}R${lines}-v0`,
    {
      width: 3 * (room - 1) + 1,
      height: lines * (room - 1) + 1,
      generate: keyCorridor(lines, room),
      rule: "pickUp",
      mission: "pick up the COLOR KIND",
      maxSteps: 30 * room ** 2,
    },
  );

const rooms = (name: string, count: number, largest: number) =>
  entry(`MiniGrid: go through ${count} rooms with doors.`, `MiniGrid-MultiRoom-${name}`, {
    ...square(25),
    generate: multiRoom(count, count, largest),
    rule: "goal",
    mission: "traverse the rooms to get to the goal",
    maxSteps: 20 * count,
  });

const goTo = (side: number, objects: number) =>
  entry(
    "MiniGrid: go to the object that the mission names, among others.",
    `MiniGrid-GoToObject-${side}x${side}-N${objects}-v0`,
    {
      ...square(side),
      generate: goToObject(objects),
      rule: "goTo",
      mission: "go to the COLOR KIND",
      maxSteps: 5 * side ** 2,
      seeThrough: true,
    },
  );

const balls = (side: number, obstacles: number) =>
  entry("MiniGrid: cross a room with moving balls.", `MiniGrid-Dynamic-Obstacles-${side}x${side}-v0`, {
    ...square(side),
    generate: dynamicObstacles(obstacles),
    rule: "dodge",
    mission: "get to the green goal square",
    maxSteps: 4 * side ** 2,
    seeThrough: true,
  });

/** Grid worlds, by MiniGrid's ids. */
export const gridWorlds = {
  "MiniGrid-Empty-5x5-v0": empty("5x5", 5),
  "MiniGrid-Empty-8x8-v0": empty("8x8", 8),
  "MiniGrid-Empty-Random-6x6-v0": empty("Random-6x6", 6, emptyRoomAnywhere),
  "MiniGrid-FourRooms-v0": either(
    "MiniGrid: find the goal in one of four rooms.",
    "MiniGrid-FourRooms-v0",
    { ...square(19), generate: fourRooms, rule: "goal", mission: "reach the goal", maxSteps: 100 },
    traced.fourRooms,
  ),
  "MiniGrid-DoorKey-5x5-v0": keyAndDoor(5),
  "MiniGrid-DoorKey-8x8-v0": keyAndDoor(8),
  "MiniGrid-DoorKey-16x16-v0": keyAndDoor(16),
  "MiniGrid-KeyCorridorS3R3-v0": corridor(3, 3),
  "MiniGrid-KeyCorridorS6R3-v0": corridor(6, 3),
  "MiniGrid-LavaGapS5-v0": gap(5),
  "MiniGrid-LavaGapS7-v0": gap(7),
  "MiniGrid-MultiRoom-N2-S4-v0": rooms("N2-S4-v0", 2, 4),
  "MiniGrid-MultiRoom-N4-S5-v1": rooms("N4-S5-v1", 4, 5),
  "MiniGrid-MultiRoom-N6-v0": rooms("N6-v0", 6, 10),
  "MiniGrid-GoToObject-6x6-N2-v0": goTo(6, 2),
  "MiniGrid-GoToObject-8x8-N2-v0": goTo(8, 2),
  "MiniGrid-Dynamic-Obstacles-6x6-v0": balls(6, 3),
  "MiniGrid-Dynamic-Obstacles-8x8-v0": balls(8, 4),
};
