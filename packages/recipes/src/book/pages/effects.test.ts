import { expect, it } from "vitest";
import type { Claim } from "../../claims/claim.ts";
import type { Judgement } from "../../claims/judge.ts";
import { score } from "../testing.ts";
import { changeText } from "./effects.ts";

const because = "it is an example";
const calls = { ...score, about: "calls per question", better: "lower" } as const;
const metrics = { score, calls };
const judged: Judgement = {
  label: "new and plain",
  estimate: 0.192,
  low: 0.15,
  high: 0.24,
  method: "t",
  verdict: "shown",
};

it("writes a lower cost as a negative change", () => {
  const claim: Claim = { metric: "calls", smallest: 0.1, because };
  expect(changeText(claim, judged, metrics)).toBe("−0.192 (−0.240 to −0.150), as claimed");
  const against = { ...judged, estimate: -0.192, low: -0.24, high: -0.15, verdict: "reversed" } as const;
  expect(changeText(claim, against, metrics)).toBe("+0.192 (0.150 to 0.240), against the claim");
});

it("writes a published negative result in the direction of the metric", () => {
  const claim: Claim = { metric: "score", direction: "lower", smallest: 0.1, because };
  expect(changeText(claim, judged, metrics)).toBe("−0.192 (−0.240 to −0.150), as claimed");
});

it("writes ratios as factors", () => {
  const claim: Claim = { kind: "ratio", metric: "calls", smallest: 1.1, because };
  const half = { ...judged, estimate: Math.log(2), low: Math.log(1.6), high: Math.log(2.5) };
  expect(changeText(claim, half, metrics)).toBe("×0.500 (×0.400 to ×0.625), as claimed");
});

it("says nothing of the direction of an open effect or of a value", () => {
  const open = { ...judged, low: -0.1, verdict: "undecided" } as const;
  expect(changeText({ metric: "score", smallest: 1, because }, open, metrics)).toBe(
    "+0.192 (−0.100 to 0.240)",
  );
  const value: Claim = { kind: "equals", metric: "score", value: 0.2, within: 0.1, because };
  expect(changeText(value, judged, metrics)).toBe("0.192 (0.150 to 0.240)");
});

it("names the metric of each part of a joint claim", () => {
  const claim: Claim = {
    kind: "joint",
    because,
    of: [
      { metric: "calls", smallest: 0.1, because },
      { kind: "no-worse", metric: "score", margin: 0.3, because },
    ],
  };
  const parts = [
    { ...judged, of: 0 },
    { ...judged, of: 1, estimate: -0.01, low: -0.02, high: 0.01 },
  ];
  expect(changeText(claim, { ...judged, parts }, metrics)).toBe(
    "calls per question −0.192 (−0.240 to −0.150), as claimed; score −0.0100 (−0.0200 to 0.0100), as claimed",
  );
});
