import { tensor } from "@reins/tensor";
import { it } from "vitest";
import { gae } from "./gae.ts";
import { type ActionFragment, retrace } from "./retrace.ts";
import { example, expectClose } from "./testing.ts";

const column = (xs: readonly number[]) => tensor(xs.map((x) => [x]));
const actions = (ratios: readonly number[]): ActionFragment => {
  const { value, ...rest } = example();
  return { ...rest, q: value, ratio: column(ratios) };
};

it("by hand: a later error counts by the ratio of its own action, cut at 1", () => {
  const { return: returns } = retrace({ gamma: 0.5, lambda: 1 })(actions([9, 0.5, 9, 3, 9, 0.25]));
  // Errors of the example: 1, -18, -7, -32.5, -15, -50.
  const corrections = [1 - 0.5 * 0.5 * 18, -18, -7 - 0.5 * 32.5, -32.5, -15 - 0.5 * 0.25 * 50, -50];
  expectClose(
    returns,
    corrections.map((c, t) => (t + 1) * 10 + c),
  );
});

it("on-policy it is TD(lambda) of Q-values", () => {
  const own = retrace({ gamma: 0.9, lambda: 0.7 })(actions([1, 1, 1, 1, 1, 1]));
  expectClose(own.return, Array.from(gae({ gamma: 0.9, lambda: 0.7 })(example()).return.data));
});

it("with ratios of 0 it is one-step Q-learning's target", () => {
  const { return: returns } = retrace({ gamma: 0.5, lambda: 1 })(actions([0, 0, 0, 0, 0, 0]));
  expectClose(returns, [11, 2, 23, 7.5, 35, 10]);
});
