import { random, type Tensor, type Tree, tensor, zeros } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { box, discrete } from "../space.ts";
import { actorCritic } from "./actor-critic.ts";
import { initialReturnScale, type ReturnScale, scaleOf, updateReturnScale } from "./pop-art.ts";
import { recurrentActorCritic } from "./recurrent.ts";

const spec = { id: "Test-v0", observation: box([2]), action: discrete(3) };
const observation = random.normal(random.key(1), [4, 2]);
const scale = (weights: Tree) => scaleOf((weights as { scale: ReturnScale }).scale);

it("the scale is that of all returns so far, with most weight on the last ones", () => {
  const policy = actorCritic(spec, { popArt: true });
  const start = policy.init(random.key(2));
  expect(scale(start).middle.item()).toBe(0);
  expect(scale(start).spread.item()).toBe(1);
  const once = updateReturnScale(start, tensor([90, 110]), 0.25);
  expect(scale(once).middle.item()).toBeCloseTo(100, 3);
  expect(scale(once).spread.item()).toBeCloseTo(10, 2);
  // Weights 0.75 · 0.25 and 0.25.
  const twice = updateReturnScale(once, tensor([10, 30]), 0.25);
  const share = 0.1875 / 0.4375;
  expect(scale(twice).middle.item()).toBeCloseTo(share * 100 + (1 - share) * 20, 3);
  // Masked returns are ignored.
  const some = updateReturnScale(start, tensor([90, 110, 1e6]), 0.25, tensor([true, true, false]));
  expect(scale(some).middle.item()).toBeCloseTo(100, 3);
});

it.each([
  [5000, 1],
  [1e5, 10],
  [1e6, 100],
])("keeps the spread of returns around %d", (middle, spread) => {
  let weights: Tree = actorCritic(spec, { popArt: true }).init(random.key(2));
  for (let i = 0; i < 20; i++) {
    const noise = random.normal(random.key(i), [256]).data;
    weights = updateReturnScale(weights, tensor(Float32Array.from(noise, (z) => middle + spread * z)), 0.1);
  }
  expect(scale(weights).spread.item() / spread).toBeCloseTo(1, 1);
  const still = updateReturnScale(actorCritic(spec, { popArt: true }).init(random.key(2)), tensor([5, 6]), 0);
  expect(scale(still).spread.item()).toBe(1);
});

describe.each([
  ["separate networks", actorCritic(spec, { popArt: true })],
  ["a shared body", actorCritic(spec, { popArt: true, shared: true })],
])("%s", (_, policy) => {
  it("keeps its values when its scale moves, and learns in units of it", () => {
    const start = policy.init(random.key(2));
    const value = (w: Tree) => policy.value!(w as typeof start, { observation });
    const first = updateReturnScale(start, tensor([500, 700]), 0.1);
    const then = updateReturnScale(first, tensor([-3, 4]), 0.1);
    for (const after of [first, then])
      value(after).data.forEach((v, i) => void expect(v).toBeCloseTo(value(start).data[i], 3));
    const moment = { view: { observation }, action: zeros([4], "i32") };
    const scored = policy.score(first as typeof start, moment);
    expect(scored.extra?.valueUnit.item()).toBeCloseTo(100, 2);
    scored.value!.data.forEach((v, i) => void expect(v).toBeCloseTo(value(start).data[i], 3));
  });
});

it("a recurrent critic keeps its values too", () => {
  const policy = recurrentActorCritic(spec, { popArt: true, units: 4 });
  const start = policy.init(random.key(2));
  const value = (w: Tree): Tensor => policy.value!(w as typeof start, { observation }, policy.start!(4));
  const moved = updateReturnScale(start, tensor([500, 700]), 0.1);
  value(moved).data.forEach((v, i) => void expect(v).toBeCloseTo(value(start).data[i], 3));
});

it("needs a critic with a scale", () => {
  const plain = actorCritic(spec).init(random.key(1));
  expect(() => updateReturnScale(plain, tensor([1]), 0.1)).toThrow("Create the policy with `popArt`");
  expect(scaleOf(initialReturnScale()).spread.item()).toBe(1);
});
