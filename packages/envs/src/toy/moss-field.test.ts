import { defaultRng } from "@reins/core/random";
import { tensor } from "@reins/tensor";
import { expect, it } from "vitest";
import { checkEnv } from "../check/index.ts";
import { MossField } from "./moss-field.ts";
import {
  type MossLevel,
  mossLevel,
  mossLevelFromLogits,
  mossLevelToRow,
  mutateMossLevel,
} from "./moss-levels.ts";

const size = 4;
const found = (count: number): MossLevel[] => {
  const random = defaultRng(3);
  return Array.from({ length: count }, () => mossLevel(random, size, 0.25));
};

it("passes the checks of an environment", () => {
  expect(checkEnv(() => new MossField({ rows: 2 }), { seeds: [0], steps: 80 })).toEqual([]);
});

it("grows moss near the goal, and edits make it uninformative", () => {
  const near = (level: MossLevel) => {
    const apart = (cell: number) =>
      Math.abs((cell % size) - (level.goal % size)) +
      Math.abs(Math.floor(cell / size) - Math.floor(level.goal / size));
    const grown = [...level.moss.keys()].filter((cell) => level.moss[cell]);
    return grown.length ? grown.reduce((sum, cell) => sum + apart(cell), 0) / grown.length : 2;
  };
  const mean = (levels: readonly MossLevel[]) => levels.reduce((sum, l) => sum + near(l), 0) / levels.length;
  const levels = found(200);
  const random = defaultRng(4);
  expect(mean(levels)).toBeLessThan(1.2);
  expect(mean(levels.map((level) => mutateMossLevel(random, level, size, 10)))).toBeGreaterThan(1.6);
});

it("recovers every level from its row, and repairs invalid ones", () => {
  for (const level of found(50)) {
    const scores = mossLevelToRow(level).map((x) => x - 0.5);
    expect(mossLevelFromLogits(scores, size)).toEqual(level);
  }
  const walled = mossLevelFromLogits(new Float32Array(64).fill(1), size);
  expect(walled.start).not.toBe(walled.goal);
  expect(walled.walls[walled.start] + walled.walls[walled.goal]).toBe(0);
});

it("plays the given levels, and hides the goal", () => {
  const walls = new Uint8Array(16);
  const level = { walls, moss: Uint8Array.from(walls, (_, i) => +(i === 1)), start: 0, goal: 1, distance: 1 };
  const env = new MossField({ level: () => level });
  env.reset({ seed: 0 });
  expect(env.observation.data[16 + 1] + env.observation.data[32]).toBe(2);
  expect([...env.observation.data].filter((x) => x !== 0)).toHaveLength(2);
  env.step(tensor(Int32Array.of(1)));
  expect(env.terminated.data[0]).toBe(1);
  expect(env.reward.data[0]).toBeCloseTo(0.98, 6);
});
