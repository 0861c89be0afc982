import { defaultRng } from "@reins/core/random";
import { expect, it } from "vitest";
import {
  gainsAndLosses,
  MappedValues,
  tileCoding,
  trainMappedValues,
  type ValueChannel,
  valueMappings,
} from "./mapped-values.ts";

const whole = { weight: 1, mapping: valueMappings.linear(), reward: (r: number) => r };
const [states, gamma] = [6, 0.8];

/** A random walk in a corridor: -1 at its left end and 1 at its right. */
function learned(
  channels: readonly ValueChannel[],
  rates: { regularRate: number; mappedRate: number },
  width = 1,
) {
  const values = new MappedValues({
    channels,
    features: tileCoding(states, width),
    actions: 2,
    gamma,
    ...rates,
  });
  const random = defaultRng(1);
  for (let i = 0; i < 20_000; i++) {
    const [s, a] = [random.integers(states), random.integers(2)];
    const to = s + (a === 1 ? 1 : -1);
    const reward = to < 0 ? -1 : to === states ? 1 : 0;
    values.learn(s, a, reward, reward === 0 ? to : -1);
  }
  return Array.from({ length: states }, (_, s) => values.value(s, 1));
}

it("converges to the same values with every mapping", () => {
  const exact = Array.from({ length: states }, (_, s) => gamma ** (states - 1 - s));
  const [linear, log] = [valueMappings.linear(), valueMappings.log(1e-6)];
  const rates = { regularRate: 0.5, mappedRate: 0.5 };
  for (const channels of [
    [whole],
    gainsAndLosses(linear, linear),
    gainsAndLosses(log, log),
    gainsAndLosses(log, linear),
  ])
    for (const [s, value] of learned(channels, rates).entries()) expect(value).toBeCloseTo(exact[s], 3);
});

it("equals Q-learning with one linear channel: only the product of its step sizes matters", () => {
  const one = learned([whole], { regularRate: 0.25, mappedRate: 0.4 });
  for (const [s, value] of learned([whole], { regularRate: 0.1, mappedRate: 1 }).entries())
    expect(value).toBeCloseTo(one[s], 9);
});

it("mappings are inverted exactly", () => {
  for (const x of [0, 1e-9, 0.3, 2])
    expect(valueMappings.log(1e-8).from(valueMappings.log(1e-8).to(x))).toBeCloseTo(x, 9);
});

it("tiles overlap: neighbours share all but one", () => {
  const of = tileCoding(9, 3);
  expect(of.every((t) => t.length === 3)).toBe(true);
  expect(of[3].filter((t) => of[4].includes(t))).toHaveLength(2);
  expect(of[3].filter((t) => of[6].includes(t))).toHaveLength(0);
  expect(tileCoding(3, 1)).toEqual([[0], [1], [2]]);
});

it("learns by practising: the path to the end is found", () => {
  let at = 0;
  const world = {
    states: 5,
    actions: 2,
    begin: () => (at = 0),
    step(action: number) {
      at = Math.max(0, at + (action === 1 ? 1 : -1));
      return { state: at, reward: at === 5 ? 1 : 0, over: at === 5 };
    },
  };
  const rates = { regularRate: 0.5, mappedRate: 1 };
  const q = new MappedValues({ channels: [whole], features: tileCoding(5, 1), actions: 2, gamma, ...rates });
  const early = trainMappedValues(q, world, { steps: 2000, epsilon: 0.1, random: defaultRng(1) });
  expect(early[0]).toBeCloseTo(0.25);
  expect([0, 1, 2, 3, 4].map((s) => q.best(s))).toEqual([1, 1, 1, 1, 1]);
  expect(q.value(0, 1)).toBeCloseTo(gamma ** 4, 2);
});
