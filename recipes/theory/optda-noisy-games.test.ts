import { defaultRng } from "@reins/core/random";
import { innerProduct } from "@reins/envs";
import { expect, it } from "vitest";
import { adaptive, gradients, optimistic, randomGame } from "./optda-noisy-games.parts.ts";

it("extrapolates by one rate and updates by the other", () => {
  const players = optimistic(Float64Array.of(1, 0), () => ({ extrapolate: 0.5, update: 0.1 }));
  expect([...players.play(0)]).toEqual([1, 0]);
  players.observe(0, Float64Array.of(2, -1));
  // X = (1, 0) − 0.1 (2, −1) = (0.8, 0.1); minus 0.5 (2, −1).
  expect(players.play(1)[0]).toBeCloseTo(-0.2, 12);
  expect(players.play(1)[1]).toBeCloseTo(0.6, 12);
  players.observe(1, Float64Array.of(0, 0));
  expect(players.play(2)[0]).toBeCloseTo(0.8, 12);
});

it("divides the adaptive rate of each player by the changes of its feedback", () => {
  const players = adaptive(Float64Array.of(0, 0), { scale: 2, tau: 1 });
  players.observe(0, Float64Array.of(Math.sqrt(3), 0));
  // −2 (√3 + √3) / √(1 + 3); the other player has seen nothing.
  expect(players.play(1)[0]).toBeCloseTo(-2 * Math.sqrt(3), 12);
  expect(players.play(1)[1]).toBeCloseTo(0, 12);
});

it("makes zero-sum games with the promised singular values", () => {
  const game = randomGame(defaultRng(3), 4);
  const actions = Float64Array.from({ length: 8 }, (_, i) => i - 3);
  expect(innerProduct(gradients(game, actions), actions)).toBeCloseTo(0, 12);
  const squares = game.reduce((sum, row) => sum + innerProduct(row, row), 0);
  expect(squares).toBeGreaterThan(4 * 0.25);
  expect(squares).toBeLessThan(4 * 2.25);
});
