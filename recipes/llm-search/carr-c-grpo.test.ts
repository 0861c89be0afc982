import { expect, it } from "vitest";
import { calls, outcome } from "../shared/testing-tools.ts";
import { citationAware, rubrics } from "./carr-c-grpo.parts.ts";

const three = { right: true, way: ["f(h)", "g(i)", "g(j)"] };

it("rubrics are met by steps that are connected to the answer", () => {
  expect(rubrics(outcome({ ...three, ...calls("f(h)=i", "g(i)=j", "g(j)=k") }))).toBe(1);
  expect(rubrics(outcome({ ...three, ...calls("g(i)=j", "g(j)=k") }))).toBeCloseTo(2 / 3, 12);
  // The last step is missing, so that none is connected. A failed call supports nothing.
  expect(rubrics(outcome({ ...three, ...calls("f(h)=i", "g(i)=j") }))).toBe(0);
  expect(rubrics(outcome({ ...three, ...calls("f(h)=i", "g(i)", "g(j)=k") }))).toBeCloseTo(1 / 3, 12);
  expect(rubrics(outcome({ known: true, right: true }))).toBe(0);
});

it("C-GRPO rewards rubrics of correct answers only", () => {
  const reward = citationAware(0.3);
  const all = calls("f(h)=i", "g(i)=j", "g(j)=k");
  expect(reward(outcome({ ...three, ...all }))).toBe(1);
  expect(reward(outcome(three))).toBe(0.7);
  expect(reward(outcome({ ...three, ...all, right: false }))).toBe(0);
  expect(citationAware(0)(outcome(three))).toBe(1);
});
