import { random, tensor } from "@reins/tensor";
import { expect, it } from "vitest";
import { mlp } from "./models/mlp.ts";
import { sgd } from "./optimisers/sgd.ts";
import { keepZeros } from "./optimisers/sparse.ts";
import { prune, sparsity } from "./prune.ts";

const params = {
  a: tensor([
    [1, -2],
    [3, -4],
  ]),
  b: tensor([[0.5, 5, -6, 7]]),
  bias: tensor([0.1]),
};

it("prunes the smallest entries of all matrices, and no biases", () => {
  const pruned = prune(params, 0.5);
  expect(pruned.a.toArray()).toEqual([
    [0, 0],
    [0, -4],
  ]);
  expect(pruned.b.toArray()).toEqual([[0, 5, -6, 7]]);
  expect(pruned.bias.data[0]).toBeCloseTo(0.1);
  expect(sparsity(pruned).item()).toBe(0.5);
});

it("prunes nothing, everything, and counts entries that are already 0", () => {
  expect(sparsity(prune(params, 0)).item()).toBe(0);
  expect(sparsity(prune(params, 1)).item()).toBe(1);
  expect(sparsity(prune(prune(params, 0.5), 0.75)).item()).toBe(0.75);
});

it("keeps pruned entries at 0 while the others learn", () => {
  const optimiser = keepZeros(sgd({ learningRate: 0.1 }));
  const first = prune(mlp({ inputs: 3, hidden: [8], outputs: 2 }).init(random.key(0)), tensor(0.25));
  const { params: moved } = optimiser.update(first, optimiser.init(first), first);
  expect(sparsity(moved).item()).toBe(sparsity(first).item());
  expect(moved.layers[0].weight.data.some((w, i) => w !== first.layers[0].weight.data[i])).toBe(true);
});
