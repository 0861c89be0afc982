import { compile, mseLoss, random, type Tensor, tensor, valueAndGradient } from "@reins/tensor";
import { expect, test } from "vitest";
import { adam } from "../optimisers/index.ts";
import { latentKl, type VaeParams, vae } from "./vae.ts";

test("the KL of a standard normal is 0, and that of a shifted one half its squared mean", () => {
  const zeros = tensor([[0, 0]]);
  expect(latentKl({ mean: zeros, logSpread: zeros }).item()).toBeCloseTo(0, 6);
  expect(latentKl({ mean: tensor([[2, 0]]), logSpread: zeros }).item()).toBeCloseTo(2, 5);
  const narrow = tensor([[Math.log(0.5), 0]]);
  expect(latentKl({ mean: zeros, logSpread: narrow }).item()).toBeCloseTo(0.5 * (0.25 - 1 + Math.log(4)), 5);
});

test("reconstructs four rows from one latent dimension", () => {
  const model = vae({ inputs: 4, hidden: [16], latent: 1 });
  const rows = tensor([0, 1, 2, 3].map((i) => [0, 1, 2, 3].map((j) => +(i === j))));
  const optimiser = adam({ learningRate: 0.02 });
  const params = model.init(random.key(2));
  const painted = (p: VaeParams, x: Tensor) => model.decode(p, model.encode(p, x).mean);
  const step = compile(
    (p: VaeParams, state: ReturnType<typeof optimiser.init>) => {
      const { value, gradient } = valueAndGradient((w: VaeParams) => mseLoss(painted(w, rows), rows))(p);
      return { ...optimiser.update(gradient, state, p), value };
    },
    { donate: [0, 1] },
  ).bind(params, optimiser.init(params));
  step.run();
  const first = step.result.value.item();
  for (let i = 0; i < 600; i++) step.run();
  expect(step.result.value.item()).toBeLessThan(first / 10);
});
