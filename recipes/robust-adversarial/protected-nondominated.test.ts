import { defaultRng } from "@reins/core/random";
import { expect, it } from "vitest";
import * as arena from "./protected-nondominated.parts.ts";

const world = arena.randomArena(defaultRng(1), { states: 5, actions: 2, discount: 0.8 });

it("has visits and returns that agree", () => {
  const policy = arena.indifferent(world);
  const { value, visits, advantages } = arena.play(world, policy, arena.anyNeighbour(world));
  expect(visits.reduce((a, b) => a + b)).toBeCloseTo(1, 5);
  const reward = visits.reduce((sum, d, s) => sum + (d * (world.rewards[s][0] + world.rewards[s][1])) / 2, 0);
  expect(value).toBeCloseTo(reward, 5);
  for (const row of advantages) expect(row[0] + row[1]).toBeCloseTo(0, 5);
});

it("raises the return of a policy, lowers it by an attack, and an attack stays within reach", () => {
  let policy = arena.indifferent(world);
  const honest = arena.honest(world);
  for (let i = 0; i < 60; i++) policy = arena.climbPolicy(world, policy, [{ attack: honest, weight: 1 }], 3);
  const natural = arena.play(world, policy, honest).value;
  expect(natural).toBeGreaterThan(arena.play(world, arena.indifferent(world), honest).value + 0.05);
  let attack = arena.anyNeighbour(world);
  const before = arena.play(world, policy, attack).value;
  for (let i = 0; i < 60; i++) attack = arena.climbAttack(world, attack, [{ policy, weight: -1 }], 3);
  expect(arena.play(world, policy, attack).value).toBeLessThan(before - 0.01);
  attack.forEach((row, s) => {
    expect(row[(s + 2) % 5]).toBe(0);
    expect(row.reduce((a, b) => a + b)).toBeCloseTo(1, 12);
  });
});

it("follows the gradient of the return with respect to an attack", () => {
  const policy = [
    [0.9, 0.1],
    [0.2, 0.8],
    [0.5, 0.5],
    [0.7, 0.3],
    [0.1, 0.9],
  ].map((p) => Float64Array.from(p));
  const attack = arena.anyNeighbour(world);
  const { visits, advantages } = arena.play(world, policy, attack);
  const gain = (o: number) => policy[o][0] * advantages[2][0] + policy[o][1] * advantages[2][1];
  const shifted = (step: number) =>
    attack.map((row, s) =>
      s === 2 ? row.map((p, o) => (o === 3 ? p + step : o === 1 ? p - step : p)) : row,
    );
  const slope =
    (arena.play(world, policy, shifted(1e-4)).value - arena.play(world, policy, shifted(-1e-4)).value) / 2e-4;
  expect(slope).toBeCloseTo((visits[2] * (gain(3) - gain(1))) / (1 - 0.8), 3);
});

it("prefers the arm with rewards", () => {
  const [exp3, random] = [new arena.Exp3(3, 500, 5), defaultRng(2)];
  for (let t = 0; t < 500; t++) {
    const arm = random.choice(3, exp3.probabilities);
    exp3.learn(arm, arm === 1 ? 0.9 : 0.3);
  }
  expect(exp3.probabilities[1]).toBeGreaterThan(0.6);
});
