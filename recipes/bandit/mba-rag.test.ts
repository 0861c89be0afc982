import { defaultRng } from "@reins/core/random";
import { expect, it } from "vitest";
import * as rag from "./mba-rag.parts.ts";

const code = Float64Array.from({ length: rag.size }, (_, i) => (i < 2 ? 1 : 0));

it("regresses the reward of the chosen strategy alone", () => {
  const scores = new rag.Scores();
  scores.regress(code, 1, 0.8, 0.25);
  // The error is 0.8 and two features are 1: the score is 2 · 0.25 · 0.8.
  expect(scores.of(code)).toEqual([0, 0.4, 0]);
  for (let i = 0; i < 100; i++) scores.regress(code, 1, 0.8, 0.25);
  expect(scores.of(code)[1]).toBeCloseTo(0.8, 12);
});

it("follows the log-likelihood of a label", () => {
  const scores = new rag.Scores();
  scores.classify(code, 2, 0.5);
  // Probabilities are a third each: the errors are 2/3 and −1/3, twice 0.5 of them.
  expect(scores.of(code)[2]).toBeCloseTo(2 / 3, 12);
  expect(scores.of(code)[0]).toBeCloseTo(-1 / 3, 12);
});

it("solves a ridge regression and is less certain where it has not been", () => {
  const bounds = new rag.UpperBounds(1);
  bounds.learn(code, 0, 3);
  // Along the code: M has 1 + 2, so that the prediction is 2 · 3 / 3.
  expect(bounds.of(code, 0)[0]).toBeCloseTo(2, 12);
  expect(bounds.of(code, 1)[0]).toBeCloseTo(2 + Math.sqrt(2 / 3), 12);
  expect(bounds.of(code, 1)[1]).toBeCloseTo(Math.sqrt(2), 12);
});

it("has questions for which different strategies are best", () => {
  const random = defaultRng(1);
  const domain = rag.randomDomain(random);
  const questions = Array.from({ length: 300 }, () => rag.sampleQuestion(domain, random));
  const best = questions.map((q) => rag.largest(Array.from(q.success, (p, a) => p - 0.06 * rag.steps[a])));
  for (const strategy of [0, 1, 2]) expect(best.filter((b) => b === strategy).length).toBeGreaterThan(40);
});
