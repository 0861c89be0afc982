import { random, sub, sum, tensor } from "@reins/tensor";
import { expect, it } from "vitest";
import { gruGate, transformerBlock } from "../index.ts";
import { expectGradient } from "../testing.ts";

it("matches a GRU gate computed by hand", () => {
  const params = {
    made: tensor([[1, 2, 3]]),
    kept: tensor([[-1, 0.5]]),
    fresh: tensor([[2]]),
    bias: tensor([-2]),
  };
  const sigmoid = (x: number) => 1 / (1 + Math.exp(-x));
  const [x, y] = [0.7, -0.4];
  const r = sigmoid(y - x);
  const z = sigmoid(2 * y + 0.5 * x - 2);
  const h = Math.tanh(3 * y + 2 * r * x);
  expect(
    gruGate(1)
      .apply(params, tensor([x]), tensor([y]))
      .item(),
  ).toBeCloseTo((1 - z) * x + z * h, 5);
});

it("a high bias makes a block the identity, and its weights learn", () => {
  const x = random.normal(random.key(1), [2, 3, 4]);
  const made = random.normal(random.key(2), [2, 3, 4]);
  const shut = gruGate(4, 30);
  const same = shut.apply(shut.init(random.key(0)), x, made);
  expect(Math.max(...sub(same, x).data.map(Math.abs))).toBeLessThan(1e-6);
  const block = transformerBlock({ width: 4, heads: 2, style: "llama", gated: true });
  expectGradient((p) => sum(block.apply(p, x)), block.init(random.key(3)), { step: 2e-3, tolerance: 4e-2 });
});
