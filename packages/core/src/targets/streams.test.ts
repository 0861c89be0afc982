import { compile, stack } from "@reins/tensor";
import { expect, it } from "vitest";
import { gae } from "./gae.ts";
import { streams } from "./streams.ts";
import { example } from "./testing.ts";

it("gives each head its own discount, and the policy their weighted sum", () => {
  const s = example();
  const twice = {
    ...s,
    value: stack([s.value, s.value], -1),
    nextValue: stack([s.nextValue, s.nextValue], -1),
  };
  const target = streams({ discounts: [0.5, 0.9], weights: [2, 1], lambda: 0.5 });
  const [near, far] = [0.5, 0.9].map((gamma) => gae({ gamma, lambda: 0.5 })(s));
  const { advantage, return: returns } = compile((x: typeof twice) => target(x))(twice);
  const sums = Array.from(near.advantage.data, (a, i) => 2 * a + far.advantage.data[i]);
  expect(Array.from(advantage.data, (a) => Number(a.toFixed(5)))).toEqual(
    sums.map((a) => Number(a.toFixed(5))),
  );
  const both = Array.from(near.return.data, (r, i) => [r, far.return.data[i]]).flat();
  expect(Array.from(returns.data, (r) => Number(r.toFixed(5)))).toEqual(
    both.map((r) => Number(r.toFixed(5))),
  );
});

it("separates the components of a reward", () => {
  const s = example();
  const value = stack([s.value, s.value], -1);
  const parted = { ...s, reward: stack([s.reward, s.reward], -1), value, nextValue: value };
  const same = { ...s, nextValue: s.value };
  const { return: returns } = streams({ discounts: [0.5, 0.5], lambda: 1 })(parted);
  const { return: one } = gae({ gamma: 0.5, lambda: 1 })(same);
  expect(Array.from(returns.data)).toEqual(Array.from(one.data).flatMap((r) => [r, r]));
});
