import * as losses from "@reins/core/losses";
import { type Tensor, tensor, valueAndGradient } from "@reins/tensor";
import { expect, it } from "vitest";
import { withoutHint } from "./guide.parts.ts";

const taught = tensor([true, true, false, false]);
const advantage = tensor([1, -1, 1, -1]);
const old = [0, 0, Math.log(0.5), Math.log(0.5)];
const loss = (logProb: Tensor) =>
  withoutHint(losses.clipped(0.2))({
    // Ratios to the behaviour policy; the probability of a given token is not recorded.
    ratio: tensor([1, 1, 1.1, 0.7]),
    advantage,
    columns: { taught },
    logProb,
  });
const logProb = tensor([Math.log(0.3), Math.log(0.3), ...old.slice(2)]);

it("weighs a given token by its probability, and is clipped like any ratio", () => {
  // Of 0.3 and 0.8, the lower bound, the worse one counts for each sign.
  [-0.3, 0.8, -1.1, 0.8].forEach((x, i) => expect(loss(logProb).data[i]).toBeCloseTo(x, 6));
});

it("raises given tokens of good answers, and leaves those of bad ones", () => {
  const { gradient } = valueAndGradient((x: Tensor) => loss(x).sum())(logProb);
  [-0.3, 0].forEach((x, i) => expect(gradient.data[i]).toBeCloseTo(x, 6));
});

it("without hints is the inner ratio", () => {
  const input = { ratio: tensor([1.1]), advantage: tensor([1]), columns: {}, logProb: tensor([-1]) };
  expect(withoutHint(losses.clipped(0.2))(input).data[0]).toBeCloseTo(-1.1, 6);
});
