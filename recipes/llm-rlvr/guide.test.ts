import * as losses from "@reins/core/losses";
import { add, exp, sub, type Tensor, tensor, valueAndGradient } from "@reins/tensor";
import { expect, it } from "vitest";
import { withoutHint } from "./guide.parts.ts";

// Two given tokens and one later token of guided answers, and one of an answer without a hint.
const taught = tensor([true, true, false, false]);
const guided = tensor([1, 1, 1, 0]);
const advantage = tensor([1, -1, 1, -1]);
const old = tensor([0, 0, Math.log(0.5), Math.log(0.5)]);
const loss = (logProb: Tensor) =>
  withoutHint(losses.clipped(0.2))({
    ratio: exp(sub(logProb, old)),
    advantage,
    columns: { taught, guided },
    logProb,
  });
const logProb = add(old, tensor([Math.log(0.3), Math.log(0.3), Math.log(1.5), Math.log(0.7)]));

it("shapes the ratios of guided answers without a clip, and clips the others", () => {
  // 0.3 / 1.3, 1.5 / 2.5, and 0.8, the lower bound.
  [-0.230769, 0.230769, -0.6, 0.8].forEach((x, i) => expect(loss(logProb).data[i]).toBeCloseTo(x, 5));
});

it("weighs the gradients of guided tokens by r / (r + 1)²", () => {
  const { gradient } = valueAndGradient((x: Tensor) => loss(x).sum())(logProb);
  [-0.177515, 0.177515, -0.24, 0].forEach((x, i) => expect(gradient.data[i]).toBeCloseTo(x, 5));
});
