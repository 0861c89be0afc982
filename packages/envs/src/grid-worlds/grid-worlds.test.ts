import { type Tensor, tensor } from "@reins/tensor";
import { describe, expect, test } from "vitest";
import { checkEnv } from "../check/check-env.ts";
import { make } from "../registry.ts";
import { GridWorld } from "./grid-world.ts";
import type { LevelGenerator } from "./level.ts";
import { levelSet } from "./level-set.ts";
import { doorKey } from "./levels/door-key.ts";
import { goToObject } from "./levels/go-to-object.ts";
import { keyCorridor } from "./levels/key-corridor.ts";
import { lavaGap } from "./levels/lava-gap.ts";
import { multiRoom } from "./levels/multi-room.ts";
import { ball, colors, goal, green, kinds } from "./symbols.ts";
import { tileOf, tileSide, tiles } from "./tiles.ts";
import type { GridWorldDefinition } from "./world.ts";

const worldOf = (side: number, generate: LevelGenerator, height = side): GridWorldDefinition => ({
  id: "Mine-v0",
  width: side,
  height,
  maxSteps: 50,
  generate,
  rule: "goal",
  mission: "get to the goal",
});

describe("training and test levels", () => {
  test.each([
    ["doors and keys", worldOf(5, doorKey)],
    ["lava", worldOf(9, lavaGap)],
    ["rooms", worldOf(25, multiRoom(2, 4, 6))],
    ["a corridor", worldOf(7, keyCorridor(3, 3))],
    ["distractors", worldOf(8, goToObject(4))],
  ])("have no test level in training: %s", (_, world) => {
    const counts = { train: 30, test: 10 };
    const train = new Set(levelSet("Mine-v0", world, counts, "train").map((l) => l.digest));
    const tested = levelSet("Mine-v0", world, counts, "test").map((l) => l.digest);
    expect(tested.filter((digest) => train.has(digest))).toEqual([]);
    expect(new Set(tested).size).toBe(10);
    // Another seed has other levels; the same one the same.
    const other = levelSet("Mine-v0", world, { ...counts, seed: 1 }, "test").map((l) => l.digest);
    expect(other).not.toEqual(tested);
    expect(levelSet("Mine-v0", world, counts, "test").map((l) => l.digest)).toEqual(tested);
  });

  test("are the levels played, on either side", () => {
    const options = { levels: { train: 4, test: 4 } } as const;
    const seen = (split: "train" | "test") => {
      const env = make("MiniGrid-DoorKey-8x8-v0", { ...options, split, rows: 200, maxSteps: 1 });
      const pictures = new Set<string>();
      env.reset({ seed: 1 });
      const step = () => {
        for (let row = 0; row < env.rows; row++) pictures.add(env.render?.(row) ?? "");
      };
      step();
      env.step(tensor(new Int32Array(200)));
      step();
      return pictures;
    };
    const [train, tested] = [seen("train"), seen("test")];
    expect([train.size, tested.size]).toEqual([4, 4]);
    expect([...tested].filter((picture) => train.has(picture))).toEqual([]);
  });

  test("are rejected where the generator has too few", () => {
    // One column and three rows for the gap.
    expect(() => make("MiniGrid-LavaGapS5-v0", { levels: { train: 20, test: 2 }, split: "test" })).toThrow(
      "its generator repeats itself: of 100 test levels only 0 are not among the 20 training levels, and 2 are needed",
    );
    // Already before training, if the test size is known.
    expect(() => make("MiniGrid-LavaGapS5-v0", { levels: { train: 20, test: 2 } })).toThrow("repeats itself");
    expect(make("MiniGrid-LavaGapS5-v0", { levels: 20 }).spec.id).toBe("MiniGrid-LavaGapS5-v0");
  });

  test("are rejected where they do not depend on their seed alone", () => {
    let count = 0;
    const world = worldOf(5, (level, random) => {
      doorKey(level, random);
      level.direction = count++ % 4;
    });
    expect(() => new GridWorld(world, { levels: { train: 3 } })).toThrow(
      "Mine-v0: its generator makes different levels from one seed, so a test level may occur in training",
    );
    // Even if it is only one of them.
    count = 0;
    const once = worldOf(5, (level, random) => {
      doorKey(level, random);
      level.direction = count++ === 4 ? 1 : 0;
    });
    expect(() => new GridWorld(once, { levels: { train: 3 } })).toThrow("different levels from one seed");
  });

  test("are validated numbers", () => {
    expect(() => make("MiniGrid-DoorKey-5x5-v0", { levels: 0 })).toThrow("levels is 0. Use the number");
    expect(() => make("MiniGrid-DoorKey-5x5-v0", { split: "test" })).toThrow(
      "Set levels too, such as { train: 200 }",
    );
    expect(() => make("MiniGrid-DoorKey-5x5-v0", { split: "tset" as "test" })).toThrow("split is");
  });

  test("can be selected by a context", () => {
    const env = make("MiniGrid-DoorKey-8x8-v0", { levels: 5 });
    const seen = (level: number) => {
      env.reset({ seed: 1, context: { level } });
      return env.render?.(0);
    };
    expect(seen(3)).toBe(seen(3));
    expect(new Set([0, 1, 2, 3, 4].map(seen)).size).toBe(5);
    expect(() => seen(5)).toThrow("the context selects level 5; levels are 0 to 4");
    const endless = make("MiniGrid-DoorKey-8x8-v0");
    expect(() => endless.reset({ context: { level: 1 } })).toThrow("levels is not set");
  });
});

describe("observations", () => {
  const look = (view: "symbols" | "planes" | "pixels") => {
    const env = make("MiniGrid-KeyCorridorS3R3-v0", { view });
    env.reset({ seed: 5 });
    for (const action of [2, 0, 2, 2, 1, 5, 2]) env.step(tensor(Int32Array.of(action)));
    return (env.observation as { image: Tensor }).image.data;
  };

  test("are equal in planes and in pixels as in symbols", () => {
    const [symbols, planes, pixels] = [look("symbols"), look("planes"), look("pixels")];
    const depth = kinds + colors + 3;
    for (let x = 0; x < 7; x++)
      for (let y = 0; y < 7; y++) {
        const [kind, color, status] = [0, 1, 2].map((i) => symbols[3 * (x * 7 + y) + i]);
        const at = (y * 7 + x) * depth;
        const set = Array.from({ length: depth }, (_, i) => i).filter((i) => planes[at + i]);
        expect(set).toEqual([kind, kinds + color, kinds + colors + status]);
        // The agent's own cell shows the agent.
        if (x === 3 && y === 6) continue;
        const first = 3 * (y * tileSide * 56 + x * tileSide);
        const tile = tileOf(kind, color, status);
        expect(pixels.slice(first, first + 3 * tileSide)).toEqual(tiles.slice(tile, tile + 3 * tileSide));
      }
  });

  test.each(["planes", "pixels"] as const)("have no findings in %s, nor with missions as text", (view) => {
    const id = "MiniGrid-GoToObject-6x6-N2-v0";
    expect(checkEnv(() => make(id, { view, mission: "text", rows: 2 }), { seeds: [1], steps: 20 })).toEqual(
      [],
    );
  });

  test("have a mission in numbers: the color and the kind of its target", () => {
    const world = { ...worldOf(8, goToObject(3)), rule: "goTo", mission: "go to the COLOR KIND" } as const;
    const env = new GridWorld(world, { mission: "numbers" });
    env.reset({ seed: 2 });
    const [color, kind] = (env.observation.mission as Tensor).data;
    const names = ["red", "green", "blue", "purple", "yellow", "grey"];
    const things: Record<number, string> = { 5: "key", 6: "ball", 7: "box" };
    expect(env.render(0)).toContain(`go to the ${names[color]} ${things[kind]}`);
  });
});

test("a custom world", () => {
  // A corridor with a ball in the way.
  const corridor = worldOf(
    6,
    (level) => {
      level.clear();
      level.frame(0, 0, 6, 3);
      level.set(2, 1, ball, green);
      level.set(4, 1, goal, green);
      level.x = level.y = 1;
    },
    3,
  );
  const env = new GridWorld(corridor);
  env.reset({ seed: 0 });
  const step = (action: number) => env.step(tensor(Int32Array.of(action)));
  const [forward, pickUp] = [2, 3];
  step(forward);
  expect(env.render(0)).toContain("█▶ o");
  step(pickUp);
  expect(env.render(0)).toContain("(has the green ball)");
  for (let i = 0; i < 3; i++) step(forward);
  expect([env.terminated.data[0], env.ended.length[0]]).toEqual([1, 5]);
  expect(env.reward.data[0]).toBeCloseTo(1 - (0.9 * 5) / 50, 6);
});

test("a rendering is as wide as its grid, whatever is carried", () => {
  const env = make("MiniGrid-DoorKey-5x5-v0", { rows: 1 });
  env.reset({ seed: 1 });
  const { width, height, shapes } = env.picture!(0);
  expect(width).toBe(200);
  const texts = shapes.flatMap((shape) => (shape.kind === "text" ? [shape.text] : []));
  expect(texts.join(" ")).toContain("key");
  for (const text of texts) expect(8 + 8 * text.length).toBeLessThanOrEqual(width);
  expect(height).toBeGreaterThan(200);
});
