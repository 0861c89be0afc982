import { expect, it } from "vitest";
import type { Claim } from "../../claims/claim.ts";
import { score } from "../testing.ts";
import type { TuningRecord } from "../tuning.ts";
import { tuningEffect } from "./tuning-effect.ts";

const because = "it is an example";
const record = (side: string, ...means: number[]): TuningRecord => ({
  side,
  points: means.map((m, i) => ({ settings: { rate: i }, values: [m - 1, m + 1] })),
  chosen: { rate: means.indexOf(Math.max(...means)) },
});
const result = (claim: Claim, ...baselines: TuningRecord[]) => ({
  system: "new",
  baselines: baselines.map((b) => b.side),
  metrics: { score, speed: score },
  claims: [claim] as const,
  tuning: [record("new", 3, 10, 5), ...baselines],
});

it("compares the tuned system with a baseline at its median and at its best point", () => {
  const claim: Claim = { metric: "score", smallest: 2, because };
  expect(tuningEffect(result(claim, record("plain", 9, 4, 2)))).toEqual({ untuned: 3, tuned: 0.5 });
});

it("takes the strongest of several baselines", () => {
  const claim: Claim = { metric: "score", contrast: ["new", "each"], smallest: 1, because };
  const found = tuningEffect(result(claim, record("plain", 9, 4, 2), record("other", 7, 6, 5)));
  expect(found).toEqual({ untuned: 4, tuned: 1 });
});

it("has no effect for other metrics, negative results and small grids", () => {
  const plain = record("plain", 9, 4, 2);
  expect(tuningEffect(result({ metric: "speed", smallest: 1, because }, plain))).toBeUndefined();
  const negative: Claim = { metric: "score", direction: "lower", smallest: 1, because };
  expect(tuningEffect(result(negative, plain))).toBeUndefined();
  expect(
    tuningEffect(result({ metric: "score", smallest: 1, because }, record("plain", 9, 4))),
  ).toBeUndefined();
});
