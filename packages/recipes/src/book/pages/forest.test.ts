import { expect, it } from "vitest";
import type { Claim } from "../../claims/claim.ts";
import type { Judgement, Part } from "../../claims/judge.ts";
import { score } from "../testing.ts";
import { forestPlot } from "./forest.ts";

const because = "it is an example";
const claim: Claim = {
  kind: "joint",
  because,
  of: [
    { metric: "tokens", smallest: 100, because },
    { metric: "score", smallest: 0.1, because },
  ],
};
const part = (of: number, estimate: number): Part => ({
  label: "new and plain",
  of,
  estimate,
  low: estimate,
  high: estimate,
  method: "t",
  verdict: "towards",
});
const judged = (deciding: number): Judgement => {
  const parts = [part(0, 200), part(1, 0.2)];
  return { ...parts[deciding], parts };
};

it("draws the same part of a joint claim for all blocks, regardless of the deciding one", () => {
  const plot = forestPlot([
    {
      id: "one",
      system: "new",
      baselines: ["plain"],
      metrics: { score, tokens: { ...score, about: "tokens" } },
      claims: [claim],
      judged: [judged(1)],
      blocks: [{ judged: [judged(0)] }, { judged: [judged(1)] }],
    },
  ]);
  // Twice Δ in each of them.
  const places = [...plot.matchAll(/<circle cx="([\d.]+)"/g)].map(([, x]) => x);
  expect(places).toHaveLength(3);
  expect(new Set(places).size).toBe(1);
});

const judgement: Judgement = {
  label: "a and b",
  estimate: 0.5,
  low: 0.4,
  high: 0.6,
  method: "t",
  verdict: "shown",
};

function pictureOf(claim: Claim): string {
  return forestPlot([
    {
      id: "one",
      claims: [claim],
      metrics: { score: { about: "score", better: "higher", worst: 0, best: 1 } },
      system: "a",
      baselines: ["b"],
      judged: [judgement],
      blocks: [],
    },
  ]);
}

/** The region in which a claim is shown, in units of Δ: 57.5 points each, 0 at 560. */
function region(claim: Claim): number[] {
  const [, from, width] = /<rect x="([\d.]+)" y="[\d.]+" width="([\d.]+)"/.exec(pictureOf(claim)) ?? [];
  return [Number(from), Number(from) + Number(width)].map((x) => (x - 560) / 57.5);
}

it("shows the required region of each kind of claim", () => {
  expect(region({ metric: "score", smallest: 0.1, because })).toEqual([1, 4]);
  expect(region({ kind: "no-worse", metric: "score", margin: 0.1, because })).toEqual([-1, 4]);
  expect(region({ kind: "equals", metric: "score", value: 0.5, within: 0.1, because })).toEqual([-1, 1]);
  expect(pictureOf({ metric: "score", smallest: 0.1, because })).toContain("0.500 (0.400 to 0.600)");
});
