import { expect, it } from "vitest";
import { calls, outcome } from "../shared/testing-tools.ts";
import { completeness } from "./rltr.parts.ts";

it("RLTR rewards complete calls, whatever the answer, and charges repeated and incorrect ones", () => {
  expect(completeness(outcome({ done: 2, ...calls("f(h)=i", "g(i)=j") }))).toBe(1);
  expect(completeness(outcome({ right: true, done: 1, ...calls("f(h)=i") }))).toBe(0);
  // f(h) is repeated; f() and f(hh) have no name. A call that failed may be repeated.
  const more = calls("f(h)", "f(h)=i", "f(h)=i", "f()", "f(hh)", "g(i)=j");
  expect(completeness(outcome({ done: 2, ...more }))).toBeCloseTo(0.7, 12);
  expect(completeness(outcome({ known: true }))).toBe(1);
  expect(completeness(outcome({ done: 2, finished: false }))).toBe(-1);
});
