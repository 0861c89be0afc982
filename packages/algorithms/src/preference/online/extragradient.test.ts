import type { Columns, ScoringPolicy, TrainState } from "@reins/core";
import { learnFrom } from "@reins/core/loops";
import * as nn from "@reins/nn";
import { random, setBackend, type Tensor, tensor } from "@reins/tensor";
import { expect, it } from "vitest";
import { extragradient, startOfStep } from "./extragradient.ts";

setBackend("wasm");

/** A policy with the weights as log-probabilities. */
const policy: ScoringPolicy = {
  likelihood: "exact",
  init: () => tensor([0, 0]),
  score: (weights) => ({ logProb: weights as Tensor, entropy: weights as Tensor }),
};

/** Two updates with the gradient of (w - x)², whose x the data give; each is the mean over two numbers. */
function updates(optimiser: nn.Optimiser, ...data: readonly (readonly number[])[]): TrainState[] {
  const learning = {
    ...{ optimiser, learningRate: 0.5, epochs: 1, minibatches: 1, normalise: "none" as const },
    gradientAt: startOfStep,
    loss: {
      value: ({ scored, columns }: { scored: { logProb: Tensor }; columns: Columns }) =>
        scored.logProb.sub(columns.x as Tensor).square(),
    },
  };
  const weights = tensor([1, 3]);
  let learned: TrainState = { weights, optimiser: optimiser.init(weights) };
  return data.map((x) => {
    const columns = { observation: tensor([0, 0]), action: tensor([0, 0]), x: tensor([...x]) };
    learned = learnFrom(learning, { policy, learned, columns, key: random.key(0) }).state;
    return learned;
  });
}

const numbers = ({ weights }: TrainState) => [...(weights as Tensor).data];

it("steps from the weights before the extrapolation, with the gradient there", () => {
  // The gradient of the mean is w - x. First x = (5, 5): (1, 3) - 0.5 (-4, -2) = (3, 4).
  // Then x = (2, 0): (1, 3) - 0.5 (-1, 3) = (1.5, 1.5), with neither the weights nor the gradient at (3, 4).
  const [ahead, after, next] = updates(extragradient(nn.sgd()), [5, 5], [2, 0], [0, 0]);
  expect(numbers(ahead)).toEqual([3, 4]);
  expect(numbers(after)).toEqual([1.5, 1.5]);
  expect(numbers(next)).toEqual([0.75, 0.75]);
});

it("keeps the statistics of extrapolations out of those of steps", () => {
  // Every second update is one of Adam on the second and the fourth data.
  const [, second, , fourth] = updates(extragradient(nn.adam()), [5, 5], [2, 0], [9, -9], [1, 1]);
  const alone = updates(extragradient(nn.adam()), [0, 0], [2, 0], [0, 0], [1, 1]);
  expect(numbers(second)).toEqual(numbers(alone[1]));
  expect(numbers(fourth)).toEqual(numbers(alone[3]));
  const inner = nn.adam();
  const params = tensor([1, 3]);
  const gradients = tensor([-1, 3]);
  const direct = inner.update(gradients, inner.init(params), params, { learningRate: 0.5 });
  expect(numbers(second)).toEqual([...direct.params.data]);
});
