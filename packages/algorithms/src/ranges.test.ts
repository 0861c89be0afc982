import { ranges } from "@reins/core/settings";
import * as signals from "@reins/core/signals";
import { expect, it } from "vitest";
import * as all from "./index.ts";
import { algorithms } from "./registry.ts";

/** A number outside each range, where one exists. */
const outside = { nonnegative: -1, positive: 0, share: 1.5, whole: -1, count: 0 } as const;

const makers = [...Object.values(algorithms), all.offlineDqn, all.groupedDqn, all.classifier];
const numeric = makers.flatMap((maker) =>
  Object.entries(maker.definition.options)
    .filter(([, o]) => o.kind === "setting" || typeof o.default === "number")
    .map(([k, option]) => ({ maker, name: maker.definition.name, k, option })),
);

it("every algorithm is registered under its own name", () => {
  for (const [name, { definition }] of Object.entries(algorithms)) expect(definition.name).toBe(name);
});

it("every numeric option of every algorithm has a range, and its default lies inside", () => {
  expect(numeric.length).toBeGreaterThan(250);
  const without = numeric.filter(({ option }) => option.within === undefined);
  expect(without.map(({ name, k }) => `${name}.${k}`)).toEqual([]);
  // Options without a range are listed here, so that none is forgotten.
  const any = numeric.filter(({ option }) => option.within === "any").map(({ k }) => k);
  expect([...new Set(any)].sort()).toEqual([
    "entropyWeight",
    "high",
    "initial",
    "least",
    "logStd",
    "low",
    "mean",
    "targetEntropy",
  ]);
  for (const maker of makers) expect(() => maker()).not.toThrow();
});

it("values outside the range are rejected, as a number and as the end of a signal", () => {
  for (const { maker, name, k, option } of numeric) {
    const within = option.within ?? "any";
    if (within === "any") continue;
    const wrong = outside[within];
    const words = `must be ${ranges[within].words}`;
    const make = (value: unknown) => () => maker({ [k]: value });
    expect(make(wrong), `${name}.${k}`).toThrow(words);
    expect(make(Number.NaN), `${name}.${k}`).toThrow(words);
    if (option.kind !== "setting") continue;
    const of = { of: "policy/kl", target: 0.01, gain: 1, integral: 0 };
    for (const signal of [
      signals.linear(0.5, wrong),
      signals.cosine(wrong, 0.5),
      signals.piecewise([0, 0.5], [1, wrong]),
      signals.warmup(0.1, signals.linear(0.5, wrong)),
      signals.pi({ ...of, initial: wrong }),
      signals.pi({ ...of, initial: 0.5, max: wrong, min: wrong }),
      signals.bandit({ of: "policy/kl", choices: [0.5, wrong] }),
      signals.average({ of: "policy/kl", initial: wrong }),
    ])
      expect(make(signal), `${name}.${k}`).toThrow(words);
  }
});
