import { random, type Tensor, tensor, treeMap } from "@reins/tensor";
import { expect, it } from "vitest";
import { box, discrete } from "../space.ts";
import { chained } from "./chain.ts";

const spec = { id: "Plan-v0", observation: box([3]), action: box([4, 2], -1, 1) };
const view = { observation: tensor([[1, -2, 0.5]]) };

it("outputs a sequence at once, and scores it", () => {
  const policy = chained(spec);
  const weights = policy.init(random.key(1));
  const { action, logProb, trace } = policy.act(weights, view, {}, random.key(2));
  expect((action as Tensor).shape).toEqual([1, 4, 2]);
  const judged = policy.score(weights, { view, action, trace });
  expect(judged.logProb.item()).toBeCloseTo(logProb!.item(), 5);
});

it("a module changes its own step and those after it", () => {
  const policy = chained(spec);
  const start = policy.init(random.key(1));
  const weights = { ...start, last: treeMap((t) => t.add(1), start.last) };
  const means = (w: typeof weights) => [...(policy.act(w, view, {}).action as Tensor).data];
  const moved = {
    ...weights,
    modules: weights.modules.map((m, i) => (i === 2 ? treeMap((t) => t.add(0.1), m) : m)),
  };
  const changed = means(moved).map((x, i) => Math.abs(x - means(weights)[i]) > 1e-6);
  expect(changed).toEqual([false, false, false, false, true, true, true, true]);
});

it("needs actions that are sequences", () => {
  expect(() => chained({ ...spec, action: discrete(2) })).toThrow(
    "actions must be a box of shape [steps, …]",
  );
});
