import { expect, it } from "vitest";
import { answerMeasures, calibrationError, majorityRight, passAt } from "./answer-measures.ts";

const votes = (...all: [string, boolean][]) => all.map(([text, right]) => ({ text, right }));

it("pass@k is 1 - C(n - c, k) / C(n, k)", () => {
  expect(passAt(1, 4, 1)).toBeCloseTo(1 / 4, 15);
  expect(passAt(2, 4, 1)).toBeCloseTo(1 - 3 / 6, 15);
  expect(passAt(2, 5, 2)).toBeCloseTo(1 - 3 / 10, 15);
  expect(passAt(3, 5, 2)).toBeCloseTo(1 - 1 / 10, 15);
  // Of five answers two are wrong: among three there is always a correct one.
  expect([passAt(3, 5, 3), passAt(4, 4, 0), passAt(1, 1, 1), passAt(1, 1, 0)]).toEqual([1, 0, 1, 0]);
});

it("the most common answer counts, and ties are shared", () => {
  expect(majorityRight(votes(["7", true], ["8", false], ["7", true]))).toBe(1);
  expect(majorityRight(votes(["7", true], ["8", false], ["8", false]))).toBe(0);
  expect(majorityRight(votes(["7", true], ["8", false]))).toBe(0.5);
  // Three answers of equal number, one of them correct.
  expect(majorityRight(votes(["a", true], ["b", false], ["c", false]))).toBeCloseTo(1 / 3, 15);
  // A random judge may judge the same text in two ways: it counts by its share.
  expect(majorityRight(votes(["a", true], ["a", false], ["b", false]))).toBe(0.5);
});

it("calibration compares confidence with accuracy, in ten bins", () => {
  const four = [
    { confidence: 0.95, right: true },
    { confidence: 0.95, right: false },
    { confidence: 0.15, right: false },
    { confidence: 1, right: true },
  ];
  // In the last tenth 2.9 were expected and 2 came, in the second 0.15 and none: (0.9 + 0.15) / 4.
  expect(calibrationError(four)).toBeCloseTo(1.05 / 4, 12);
  expect(calibrationError([{ confidence: 1, right: true }])).toBe(0);
  expect(calibrationError([{ confidence: 0, right: true }])).toBe(1);
});

it("measures several answers to each problem", () => {
  const answer = (text: string, right: boolean, entropy: number) => ({
    text,
    right,
    confidence: 0.5,
    entropy,
  });
  const found = answerMeasures([
    [answer("1", true, 0), answer("2", false, 0.2)],
    [answer("3", false, 0.4), answer("3", false, 0.6)],
  ]);
  expect(found).toEqual({
    samples: 2,
    pass: [0.25, 0.5],
    majority: 0.25,
    calibration: 0.25,
    entropy: expect.closeTo(0.3, 12),
  });
});
