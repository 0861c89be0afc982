import { defaultRng } from "@reins/core/random";
import { tensor } from "@reins/tensor";
import { expect, it } from "vitest";
import { checkEnv } from "../check/index.ts";
import { MazeField } from "./maze-field.ts";
import { mazeSet, randomMaze } from "./maze-levels.ts";

it("passes the checks of an environment", () => {
  expect(checkEnv(() => new MazeField({ rows: 2, levels: 5 }), { seeds: [0], steps: 80 })).toEqual([]);
});

it("makes mazes with a reachable goal, at the stated distance", () => {
  const random = defaultRng(1);
  for (let i = 0; i < 50; i++) {
    const { walls, start, goal, distance } = randomMaze(random, 5, 0.3);
    expect(walls[start] + walls[goal]).toBe(0);
    const apart = Math.abs((start % 5) - (goal % 5)) + Math.abs(Math.floor(start / 5) - Math.floor(goal / 5));
    expect(distance).toBeGreaterThanOrEqual(apart);
    expect(distance).toBeLessThan(25);
    expect((distance - apart) % 2).toBe(0);
  }
});

it("is tested in mazes that do not occur in training", () => {
  const of = (split: "train" | "test") =>
    mazeSet("mazes", { size: 3, walls: 0.2 }, { train: 40, test: 60, seed: 1 }, split).map((m) =>
      JSON.stringify(m),
    );
  const [trained, tested] = [of("train"), of("test")];
  expect(tested).toHaveLength(60);
  expect(tested.filter((m) => trained.includes(m))).toEqual([]);
  expect(() => mazeSet("mazes", { size: 2, walls: 0 }, { train: 500, test: 5 }, "test")).toThrow("too few");
});

it("returns the path's value to the optimal policy", () => {
  const env = new MazeField({ size: 2, walls: 0, levels: 1, cost: 0.1 });
  env.reset({ seed: 0 });
  const at = () => Array.from({ length: 12 }, (_, i) => env.observation.data[i]);
  const cell = (part: number) =>
    at()
      .slice(4 * part, 4 * part + 4)
      .indexOf(1);
  let total = 0;
  for (let ended = false; !ended; ) {
    const [from, to] = [cell(1), cell(2)];
    const action = from % 2 !== to % 2 ? (from % 2 ? 3 : 1) : from > to ? 0 : 2;
    env.step(tensor(Int32Array.of(action)));
    total += env.reward.data[0];
    ended = env.terminated.data[0] === 1;
  }
  expect(total).toBeCloseTo(env.best, 6);
});
