import { compile, type Tensor, tensor } from "@reins/tensor";
import { it } from "vitest";
import type { Stretch } from "../target.ts";
import { gae } from "./gae.ts";
import { nStepReturns } from "./n-step.ts";
import { example, expectClose, stretch } from "./testing.ts";
import { vTrace } from "./v-trace.ts";

const ratios = (xs: readonly number[]) => tensor(xs.map((x) => [x]));
const same = ratios([1, 1, 1, 1, 1, 1]);

it("for the policy that acted, returns are n-step returns to the end", () => {
  const s = { ...example(), ratio: same };
  const target = compile((x: Stretch & { ratio: Tensor }) => vTrace({ gamma: 0.9 })(x));
  expectClose(target(s).return, Array.from(nStepReturns({ gamma: 0.9, n: 6 })(s).return.data));
});

it("with lambda, it is TD(lambda)", () => {
  const s = { ...example(), ratio: same };
  const { return: returns } = vTrace({ gamma: 0.9, lambda: 0.6 })(s);
  expectClose(returns, Array.from(gae({ gamma: 0.9, lambda: 0.6 })(s).return.data));
});

it("by hand: ratios are cut from above, apart for a step's own error and for later ones", () => {
  const s = { ...stretch([1, 2, 3], [10, 20, 30], [20, 30, 40], "..."), ratio: ratios([2, 0.5, 4]) };
  const { return: returns, advantage } = vTrace({ gamma: 0.5, clipRho: 3, clipC: 1 })(s);
  // Errors: 2 (1 + 10 - 10), 0.5 (2 + 15 - 20), 3 (3 + 20 - 30); weights of later ones: 1, 0.5.
  const [d0, d1, d2] = [2, -1.5, -21];
  const v2 = 30 + d2;
  const v1 = 20 + d1 + 0.5 * 0.5 * d2;
  const v0 = 10 + d0 + 0.5 * (d1 + 0.25 * d2);
  expectClose(returns, [v0, v1, v2]);
  expectClose(advantage, [2 * (1 + 0.5 * v1 - 10), 0.5 * (2 + 0.5 * v2 - 20), 3 * (3 + 20 - 30)]);
});

it("an action that the present policy would never take cuts everything behind it", () => {
  const s = { ...stretch([1, 2], [10, 20], [20, 30], ".."), ratio: ratios([0, 1]) };
  expectClose(vTrace({ gamma: 1 })(s).return, [10, 32]);
});

it("ends of episodes: nothing follows a termination, the final state's value a truncation", () => {
  const { advantage } = vTrace({ gamma: 0.5 })({ ...example(), ratio: same });
  expectClose(advantage, [1 + 1 - 10, 2 - 20, 3 + 3.75 - 30, 4 + 3.5 - 40, 5 + 5 - 50, 6 + 4 - 60]);
});
