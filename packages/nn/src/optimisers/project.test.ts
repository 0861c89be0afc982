import { compile, tensor } from "@reins/tensor";
import { expect, it } from "vitest";
import { globalNorm } from "./clip.ts";
import { fixedNorm } from "./project.ts";
import { sgd } from "./sgd.ts";

const params = () => ({
  matrix: tensor([
    [3, 0],
    [0, 4],
  ]),
  bias: tensor([1, 1]),
});
const gradients = {
  matrix: tensor([
    [-3, 0],
    [0, 0],
  ]),
  bias: tensor([1, 0]),
};

it("keeps the norm of matrices while they rotate; biases are free", () => {
  const optimiser = fixedNorm(sgd({ learningRate: 1 }));
  const first = params();
  const step = compile((p: typeof first, s: ReturnType<typeof optimiser.init<typeof first>>) =>
    optimiser.update(gradients, s, p),
  );
  const one = step(first, optimiser.init(first));
  expect(globalNorm(one.params.matrix).item()).toBeCloseTo(5, 5);
  // [6, 0, 0, 4] at length 5.
  expect(one.params.matrix.data[0]).toBeCloseTo((6 * 5) / Math.sqrt(52), 5);
  expect(Array.from(one.params.bias.data)).toEqual([0, 1]);
  const two = step(one.params, one.state);
  expect(globalNorm(two.params.matrix).item()).toBeCloseTo(5, 5);
  expect(two.params.matrix.data[0]).toBeGreaterThan(one.params.matrix.data[0]);
});

it("projects the selected parameters", () => {
  const optimiser = fixedNorm(sgd({ learningRate: 1 }), (name) => name === "bias");
  const { params: moved } = optimiser.update(gradients, optimiser.init(params()), params());
  expect(globalNorm(moved.bias).item()).toBeCloseTo(Math.SQRT2, 5);
  expect(moved.matrix.data[0]).toBe(6);
});
