import { defaultRng } from "@reins/core/random";
import { expect, it } from "vitest";
import * as paths from "./in-rl-path-selection.parts.ts";

it("moves probability to a path by its reward, as a hand calculation does", () => {
  const automaton = new paths.Automaton(4, 0.2, 0);
  automaton.learn(1, 0.5);
  // 0.25 + 0.2 · 0.5 · 0.75, and 0.25 − 0.2 · 0.5 · 0.25.
  expect(automaton.probabilities[1]).toBeCloseTo(0.325, 12);
  expect(automaton.probabilities[0]).toBeCloseTo(0.225, 12);
  automaton.learn(0, 1);
  expect(automaton.probabilities[1]).toBeCloseTo(0.325, 12);
  const held = new paths.Automaton(2, 0.5, 0.1);
  for (let i = 0; i < 50; i++) held.learn(0, 0);
  expect(held.probabilities[1]).toBeGreaterThan(0.09);
});

it("reports after the lag of a path, and loses packets beyond its queue", () => {
  const seen: number[] = [];
  const chooser = { choose: () => 0, learn: (_: number, occupancy: number) => seen.push(occupancy) };
  const path = { rate: 5, lag: 6, queue: 0, background: 0 };
  const domain = new paths.Domain([path, { ...path, rate: 15 }], chooser, 0.9, defaultRng(1));
  let lost = 0;
  for (let t = 0; t < 6; t++) lost += domain.step().lost;
  expect(seen).toEqual([]);
  for (let t = 0; t < 40; t++) lost += domain.step().lost;
  expect(seen[0]).toBe(0);
  expect(Math.max(...seen)).toBeGreaterThan(0.9);
  // Thirteen packets in a slot over a path with five.
  expect(lost).toBeGreaterThan(100);
});

it("gives others a quarter of all rates", () => {
  const random = defaultRng(2);
  const all = paths.randomPaths(random, 4);
  const domain = new paths.Domain(all, new paths.Automaton(4, 0, 0), 0.8, random);
  for (let i = 0; i < 5; i++) {
    domain.change(random);
    const total = all.reduce((sum, p) => sum + p.rate, 0);
    expect(all.reduce((sum, p) => sum + p.background, 0)).toBeCloseTo(total / 4, 12);
  }
});
