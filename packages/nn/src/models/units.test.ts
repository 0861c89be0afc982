import { random, tensor } from "@reins/tensor";
import { expect, it } from "vitest";
import { mlp } from "./mlp.ts";
import { activeFraction, hiddenActivations } from "./units.ts";

it("returns the activations of each hidden layer", () => {
  const options = { inputs: 3, hidden: [4, 5], outputs: 2, activation: "relu", normalise: true } as const;
  const params = mlp(options).init(random.key(2));
  const x = tensor([[1, -2, 0.5]]);
  const [first, second] = hiddenActivations(options)(params, x);
  expect([first.shape, second.shape]).toEqual([
    [1, 4],
    [1, 5],
  ]);
  const whole = mlp({ ...options, outputs: undefined }).apply(params, x);
  expect(Array.from(second.data)).toEqual(Array.from(whole.data));
});

it("counts units that are active for some row", () => {
  const one = tensor([
    [0, 1, 0],
    [0, 0, 0],
  ]);
  const two = tensor([[0], [2]]);
  expect(activeFraction([one, two]).item()).toBe(0.5);
});
