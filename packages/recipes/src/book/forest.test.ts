import { expect, it } from "vitest";
import type { Claim } from "../claims/claim.ts";
import type { Judgement, Part } from "../claims/judge.ts";
import { forestPlot } from "./forest.ts";
import { score } from "./testing.ts";

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

it("draws the same part of a joint claim for all blocks, whichever decides there", () => {
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
  // Twice what counts, in each of them.
  const places = [...plot.matchAll(/<circle cx="([\d.]+)"/g)].map(([, x]) => x);
  expect(places).toHaveLength(3);
  expect(new Set(places).size).toBe(1);
});
