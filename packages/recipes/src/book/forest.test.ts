import { expect, it } from "vitest";
import type { Claim } from "../claims/claim.ts";
import type { Judgement } from "../claims/judge.ts";
import { forestPlot } from "./forest.ts";
import type { Result } from "./result.ts";

const because = "it is an example";
const judgement: Judgement = {
  label: "a and b",
  estimate: 0.5,
  low: 0.4,
  high: 0.6,
  method: "t",
  verdict: "shown",
};

function pictureOf(claim: Claim): string {
  const metrics = { score: { about: "score", better: "higher", worst: 0, best: 1 } } as const;
  const result: Result = {
    id: "one",
    claims: [claim],
    metrics,
    system: "a",
    baselines: ["b"],
    judged: [judgement],
    settings: {},
    tuning: [],
    plan: { replicates: 10, needed: 10, spread: 1 },
    blocks: [],
    budget: { unit: "steps", full: 1 },
    wallSeconds: 1,
    processorSeconds: 1,
    machine: { backend: "wasm", processor: "any", versions: {} },
    measuredAt: "here",
    code: { meaning: { all: "", files: {} }, numerics: { all: "", files: {} } },
  };
  return forestPlot([result]);
}

/** From where to where a claim counts as shown, in units of Δ: 57.5 points each, 0 at 560. */
function region(claim: Claim): number[] {
  const [, from, width] = /<rect x="([\d.]+)" y="[\d.]+" width="([\d.]+)"/.exec(pictureOf(claim)) ?? [];
  return [Number(from), Number(from) + Number(width)].map((x) => (x - 560) / 57.5);
}

it("shows for each kind of claim where its interval must lie", () => {
  expect(region({ metric: "score", smallest: 0.1, because })).toEqual([1, 4]);
  expect(region({ kind: "no-worse", metric: "score", margin: 0.1, because })).toEqual([-1, 4]);
  expect(region({ kind: "equals", metric: "score", value: 0.5, within: 0.1, because })).toEqual([-1, 1]);
  expect(pictureOf({ metric: "score", smallest: 0.1, because })).toContain("0.500 (0.400 to 0.600)");
});
