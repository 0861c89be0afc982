import { defaultRng } from "@reins/core/random";
import { expect, it } from "vitest";
import { QuantalAdversary, rationalityCurriculum } from "./qarl.parts.ts";

it("samples by values in units of the temperature: uniformly, gradually, and greedily", () => {
  const adversary = new QuantalAdversary({ states: 1, actions: 3, random: defaultRng(1) });
  adversary.values.set([1, 0, 0.5]);
  for (const chance of adversary.policy(0, 1e6)) expect(chance).toBeCloseTo(1 / 3, 5);
  const [best, least] = [1 / (1 + Math.exp(-2) + Math.exp(-1)), Math.exp(-2)];
  expect(adversary.policy(0, 0.5)[1]).toBeCloseTo(best, 6);
  expect(adversary.policy(0, 0.5)[0]).toBeCloseTo(best * least, 6);
  expect([...adversary.policy(0, 0)]).toEqual([0, 1, 0]);
  expect(adversary.act(0, 0)).toBe(1);
});

it("expects the soft minimum, between the mean and the minimum", () => {
  const adversary = new QuantalAdversary({ states: 1, actions: 2, random: defaultRng(1) });
  adversary.values.set([1, 0]);
  expect(adversary.expected(0, 0)).toBe(0);
  expect(adversary.expected(0, 0.5)).toBeCloseTo(-0.5 * Math.log((1 + Math.exp(-2)) / 2), 6);
  expect(adversary.expected(0, 1e4)).toBeCloseTo(0.5, 3);
  adversary.learn(0, 1, 2, 0.5);
  expect(adversary.values[1]).toBe(1);
});

it("becomes rational while the other agent keeps up", () => {
  const temperature = rationalityCurriculum({ from: 1, least: 0.2, factor: 0.5, threshold: 0.3, window: 2 });
  for (const earned of [0, 0.5]) temperature.told(earned);
  expect(temperature.value).toBe(1);
  for (const earned of [0.1, 0.5]) temperature.told(earned);
  expect(temperature.value).toBe(0.5);
  for (let i = 0; i < 4; i++) temperature.told(1);
  expect(temperature.value).toBe(0);
});
