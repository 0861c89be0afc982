import { Run } from "@reins/core";
import { defaultRng } from "@reins/core/random";
import { type MossLevel, mossField, mossLevel } from "@reins/envs";
import { describe, expect, it, test } from "vitest";
import { ppo } from "../ppo.ts";
import { LevelAssignment } from "./level-assignment.ts";
import { LevelReplay, type LevelReplayOptions } from "./level-replay.ts";
import { fitRowAutoencoder, slerp } from "./row-model.ts";

/** Levels 0 to 9, each played and solved once, with errors equal to their numbers. */
const played = (options: Partial<LevelReplayOptions<number>> = {}) => {
  const given = Array.from({ length: 10 }, (_, i) => i);
  const replay = new LevelReplay({ given, random: defaultRng(0), ...options });
  for (let i = 0; i < 10; i++) {
    const next = replay.next();
    replay.update(next, next.level, 1);
  }
  return replay;
};
const drawn = (replay: LevelReplay<number>, times = 200) =>
  Array.from({ length: times }, () => replay.next().level);

describe("LevelReplay", () => {
  it("plays every given level before repeating any", () => {
    const replay = new LevelReplay({ given: [0, 1, 2, 3], random: defaultRng(1) });
    expect(drawn(replay, 4).sort()).toEqual([0, 1, 2, 3]);
  });

  it("prefers large errors by rank, stale levels by the staleness share, and is uniform otherwise", () => {
    const first = (levels: readonly number[]) => levels.filter((l) => l === 9).length / levels.length;
    expect(first(drawn(played({ staleness: 0 })))).toBeGreaterThan(0.98);
    expect(new Set(drawn(played({ staleness: 0.3 }))).size).toBe(10);
    // By rank at temperature 1: 1 / (1 + 1/2 + … + 1/10).
    expect(first(drawn(played({ staleness: 0, temperature: 1 }), 2000))).toBeCloseTo(0.341, 1);
    expect(first(drawn(played({ staleness: 0, temperature: Infinity }), 2000))).toBeCloseTo(0.1, 1);
  });

  it("stores new levels that were solved in place of the lowest-ranked, and keeps all given ones", () => {
    const replay = played({ invent: (draw) => draw() + 100, fresh: 1, capacity: 11 });
    const next = replay.next();
    expect(next.level).toBeGreaterThanOrEqual(100);
    replay.update(next, 5, -0.6);
    expect(replay.levels).toHaveLength(10);
    replay.update(next, 5, 0.5);
    replay.update({ level: 300, id: next.id }, 3, 0.5);
    expect(replay.levels.slice(10)).toEqual([next.level]);
    replay.update({ level: 300, id: next.id }, 7, 0.5);
    expect(replay.levels).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 300]);
  });

  it('generates no levels at the start with "rising", and half of all at the end', () => {
    const replay = played({ invent: () => 100, mixing: { rising: 1 } });
    expect(Math.max(...drawn(replay))).toBe(9);
    replay.progress = 1;
    expect(drawn(replay, 1000).filter((l) => l === 100).length / 1000).toBeCloseTo(0.5, 1);
  });
});

test("scores levels by the mean of |advantage| over a whole episode, also across grids", () => {
  const told: (readonly number[])[] = [];
  let next = 0;
  const plays = new LevelAssignment<number>({
    progress: 0,
    next: () => ({ level: next, id: next++ }),
    update: ({ level }, error, rewards) => told.push([level, error, rewards]),
    save: () => null,
    restore: () => {},
  });
  const column = (data: number[]) => ({ shape: [data.length, 1], data });
  const grid = (reward: number[], value: number[], terminated: number[], truncated: number[]) => ({
    reward: column(reward),
    value: column(value),
    terminated: column(terminated),
    truncated: column(truncated),
    bootstrap: column(truncated.map((t) => 0.5 * t)),
  });
  plays.level(0);
  plays.level(0);
  // Level 0: errors 1 + 0.9·0 − 0.4 = 0.6 and 0 + 0.9·0.4 − 0.2 = 0.16, with λ = 0.5: 0.6, and 0.16 + 0.45·0.6 = 0.43.
  plays.score(grid([0, 1, 0], [0.2, 0.4, 0.3], [0, 1, 0], [0, 0, 0]), 0.9, 0.5);
  expect(told).toHaveLength(1);
  expect(told[0][1]).toBeCloseTo((0.43 + 0.6) / 2, 6);
  // Level 1: the error is taken as 0 at the edge; then it is truncated: 0.1 + 0.9·0.5 − 0.35 = 0.2.
  plays.score(grid([0.1], [0.35], [0], [1]), 0.9, 0.5);
  expect(told[1].map((x) => +x.toFixed(6))).toEqual([1, 0.1, 0.1]);
});

test("a run with teacher levels resumes exactly", () => {
  const make = () => {
    const random = defaultRng(2);
    const given = Array.from({ length: 4 }, () => mossLevel(random, 3, 0.2));
    const invent = () => mossLevel(random, 3, 0.2);
    const plays = new LevelAssignment<MossLevel>(new LevelReplay({ given, random, invent }));
    const algorithm = ppo.with("levels", {
      parts: (_, { gamma, lambda }) => ({
        beside: (round) => plays.beside(round, { gamma, lambda, rounds: 4 }),
      }),
    })({ envs: 4, steps: 16, hidden: [8], epochs: 1 });
    return new Run({ algorithm, env: mossField({ size: 3, level: plays.level }), steps: 256, seed: 3 });
  };
  const whole = make();
  whole.advance();
  const half = make();
  half.advance(128);
  const rest = make();
  rest.restore(half.save());
  rest.advance();
  expect(JSON.stringify(rest.save())).toBe(JSON.stringify(whole.save()));
});

test("a row model reproduces the given rows at the ends, and keeps their regularities in between", () => {
  // Two bits that are always equal, four free bits, and a choice that encodes the first two.
  const random = defaultRng(5);
  const rows = Array.from({ length: 40 }, () => {
    const bits = Array.from({ length: 5 }, () => random.integers(2));
    return Float32Array.from([bits[0], ...bits, bits[0], 1 - bits[0]]);
  });
  const model = fitRowAutoencoder({
    rows,
    bits: 6,
    choices: [2],
    hidden: [32],
    latent: 4,
    price: 0.3,
    steps: 600,
    seed: 1,
  });
  expect(model.likelihood).toBeGreaterThan(-1);
  let agreed = 0;
  for (let i = 0; i < 100; i++) {
    const made = model.between(random.integers(40), random.integers(40), random.random(), random);
    if (made[0] > 0 === made[1] > 0 && made[0] > 0 === made[6] > made[7]) agreed++;
  }
  expect(agreed).toBeGreaterThan(90);
  expect(() => fitRowAutoencoder({ rows, bits: 5, choices: [2], seed: 1 })).toThrow(
    "add up to a different number",
  );
});

test("alongArc keeps norms, and is linear between parallel vectors", () => {
  const half = slerp([1, 0], [0, 1], 0.5);
  expect(Math.hypot(...half)).toBeCloseTo(1, 9);
  expect(half[0]).toBeCloseTo(half[1], 9);
  expect(slerp([1, 0], [3, 0], 0.5)).toEqual([2, 0]);
});
