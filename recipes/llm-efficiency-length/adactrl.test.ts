import { expect, it } from "vitest";
import { right, wrong } from "../shared/testing-answers.ts";
import { adaCtrl } from "./adactrl.parts.ts";

const isEasy = ({ text }: { text: string }) => text.startsWith("#");
const easy = { text: "#a" };
const rewards = (calibrated: boolean) => adaCtrl({ isEasy, calibrated })();
const close = (found: readonly number[], expected: readonly number[]) =>
  expected.forEach((x, i) => expect(found[i]).toBeCloseTo(x, 12));

it("rewards tags that agree with the solve rate, and short answers that are declared easy", () => {
  // Solve rate 3/4: easy. The cosine at 4 of 8 tokens is 0.
  const group = [right(4, easy), right(8), right(8, easy), wrong(4, easy)];
  close(rewards(true)([group])[0], [1 + 0.5 + 0.25, 1, 1 + 0.5, -1 + 0.5]);
  close(rewards(false)([group])[0], [1.25, 1, 1, -1]);
});

it("calls a problem hard up to a solve rate of five eighths", () => {
  const outcomes = (solved: number) =>
    Array.from({ length: 8 }, (_, i) => (i < solved ? right(8) : wrong(8)));
  const [five, six] = rewards(true)([outcomes(5), outcomes(6)]);
  expect([five[0], six[0]]).toEqual([1.5, 1]);
});

it("has no preference within groups with equal outcomes", () => {
  expect(rewards(true)([[right(3, easy), right(9)]])).toEqual([[0, 0]]);
});
