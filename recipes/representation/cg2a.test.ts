import { type Tensor, tensor } from "@reins/tensor";
import { expect, test } from "vitest";
import { agreementGradient, meanGradient } from "./cg2a.parts.ts";

const numbers = (tree: { w: Tensor }) => [...tree.w.data];

test("the mean of gradients", () => {
  expect(numbers(meanGradient([{ w: tensor([1, 3]) }, { w: tensor([3, -1]) }]) as { w: Tensor })).toEqual([
    2, 1,
  ]);
});

test("equal gradients are unchanged", () => {
  const g = { w: tensor([3, 4]) };
  const agreed = numbers(agreementGradient([g, g, g]) as { w: Tensor });
  expect(agreed[0]).toBeCloseTo(3, 5);
  expect(agreed[1]).toBeCloseTo(4, 5);
});

test("norms are equalised, agreeing gradients count more, and conflicting coordinates move less", () => {
  // Norms 5, 10 and 5: all become 20/3. Scaled by 4/3, 2/3 and 4/3 they are (4, 5.33), (4, 5.33) and (4, -5.33).
  const all = [tensor([3, 4]), tensor([6, 8]), tensor([3, -4])].map((w) => ({ w }));
  const [x, y] = [4, 16 / 3];
  // Their sum is (12, y): the products with it are 48 + y², twice, and 48 - y².
  const [a, b] = [48 + y * y, 48 - y * y];
  const whole = 2 * a + b;
  const agreed = numbers(agreementGradient(all) as { w: Tensor });
  expect(agreed[0]).toBeCloseTo(x, 4);
  expect(agreed[1]).toBeCloseTo((((2 * a - b) / whole) * y) / 3, 4);
});

test("zero gradients stay zero", () => {
  const none = { w: tensor([0, 0]) };
  expect(numbers(agreementGradient([none, none]) as { w: Tensor })).toEqual([0, 0]);
});
