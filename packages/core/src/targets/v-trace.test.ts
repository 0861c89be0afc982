import { compile, type Tensor, tensor } from "@reins/tensor";
import { it } from "vitest";
import type { Fragment } from "../target.ts";
import { gae } from "./gae.ts";
import { nStepReturns } from "./n-step.ts";
import { example, expectClose, stretch } from "./testing.ts";
import { vTrace } from "./v-trace.ts";

const ratios = (xs: readonly number[]) => tensor(xs.map((x) => [x]));
const same = ratios([1, 1, 1, 1, 1, 1]);

it("on-policy, returns are n-step returns to the end", () => {
  const s = { ...example(), ratio: same };
  const target = compile((x: Fragment & { ratio: Tensor }) => vTrace({ gamma: 0.9 })(x));
  expectClose(target(s).return, Array.from(nStepReturns({ gamma: 0.9, n: 6 })(s).return.data));
});

it("with lambda, it is TD(lambda)", () => {
  const s = { ...example(), ratio: same };
  const { return: returns } = vTrace({ gamma: 0.9, lambda: 0.6 })(s);
  expectClose(returns, Array.from(gae({ gamma: 0.9, lambda: 0.6 })(s).return.data));
});

it("by hand: ratios are clipped from above, separately for a step's own error and for later ones", () => {
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

it("an action that the current policy would never take cuts everything after it", () => {
  const s = { ...stretch([1, 2], [10, 20], [20, 30], ".."), ratio: ratios([0, 1]) };
  expectClose(vTrace({ gamma: 1 })(s).return, [10, 32]);
});

it("ends of episodes: value 0 after a termination, the final state's value after a truncation", () => {
  const { advantage } = vTrace({ gamma: 0.5 })({ ...example(), ratio: same });
  expectClose(advantage, [1 + 1 - 10, 2 - 20, 3 + 3.75 - 30, 4 + 3.5 - 40, 5 + 5 - 50, 6 + 4 - 60]);
});

it("is the paper's sum over all later steps, term by term", () => {
  const s = { ...example(), ratio: ratios([0.3, 1.7, 0.9, 2.5, 0.6, 1.2]) };
  const [gamma, clipRho, clipC, lambda] = [0.9, 1.5, 0.8, 0.95];
  const numbers = (t: Tensor) => Array.from(t.data, Number);
  const [r, v, next, ratio] = [s.reward, s.value, s.nextValue, s.ratio].map(numbers);
  const [ended, done] = [s.terminated, s.done].map(numbers);
  const rho = ratio.map((x) => Math.min(clipRho, x));
  const c = ratio.map((x) => lambda * Math.min(clipC, x));
  const after = next.map((x, t) => (ended[t] ? 0 : x));
  const delta = r.map((x, t) => rho[t] * (x + gamma * after[t] - v[t]));
  // v_s + Σ_t γ^(t-s) (Π_{i=s}^{t-1} c_i) δ_t, up to the end of the episode.
  const corrected = v.map((start, from) => {
    let total = start;
    for (let t = from; t < v.length; t++) {
      if (done.slice(from, t).some(Boolean)) break;
      total += gamma ** (t - from) * c.slice(from, t).reduce((a, b) => a * b, 1) * delta[t];
    }
    return total;
  });
  const led = corrected.map((_, t) => (done[t] || t === v.length - 1 ? after[t] : corrected[t + 1]));
  const { return: returns, advantage } = vTrace({ gamma, clipRho, clipC, lambda })(s);
  expectClose(returns, corrected);
  expectClose(
    advantage,
    r.map((x, t) => rho[t] * (x + gamma * led[t] - v[t])),
  );
});
