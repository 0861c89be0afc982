import { compile, grad, random, scan, setBackend, type Tensor, tensor, zeros } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { valueError } from "../losses/value.ts";
import { nn } from "../nn.ts";
import type { ActionScores } from "../policy.ts";
import { box, discrete } from "../space.ts";
import { actorCritic } from "./actor-critic.ts";
import { recurrentActorCritic } from "./recurrent.ts";
import { valueBins } from "./value-form.ts";

setBackend("wasm");

const spec = { id: "Test-v0", observation: box([2]), action: discrete(3) };
const observation = random.normal(random.key(1), [4, 2]);
const moment = { view: { observation }, action: zeros([4], "i32") };
const lossOf = (scored: ActionScores, columns: { [name: string]: Tensor }, clip?: number) =>
  valueError(clip === undefined ? {} : { clip }).value({ scored, columns, key: random.key(0), report() {} });

describe.each([
  ["separate networks", {}],
  ["a shared body", { shared: true }],
] as const)("critics on %s", (_, options) => {
  it("give the same values alone and with the actor", () => {
    for (const values of ["plain", "symlog", "two-hot"] as const) {
      const policy = actorCritic(spec, { ...options, values });
      const weights = policy.init(random.key(3));
      const [alone, beside] = [policy.value!(weights, { observation }), policy.score(weights, moment).value!];
      beside.data.forEach((x, i) => void expect(x).toBeCloseTo(alone.data[i], 5));
    }
  });

  it("of bins have the value 0 at first", () => {
    const policy = actorCritic(spec, { ...options, values: "two-hot" });
    for (const x of policy.value!(policy.init(random.key(3)), { observation }).data)
      expect(Math.abs(x)).toBeLessThan(1e-3);
  });
});

it.each([
  ["symlog", 30_000],
  ["two-hot", 30_000],
  ["two-hot", -0.02],
] as const)("%s critics learn a return of %d at one rate", (values, target) => {
  const policy = actorCritic(spec, { hidden: [8], values });
  const adam = nn.adam();
  const returns = zeros([4]).set(target);
  type Learning = { weights: ReturnType<typeof policy.init>; state: ReturnType<typeof adam.init> };
  const loss = (w: Learning["weights"]) => lossOf(policy.score(w, moment), { return: returns }).mean();
  const learn = compile((from: Learning) => {
    const { carry } = scan(
      ({ weights, state }: Learning, _: undefined) => {
        const next = adam.update(grad(loss)(weights), state, weights, { learningRate: 0.02 });
        return [{ weights: next.params, state: next.state } as Learning, undefined] as const;
      },
      from,
      undefined,
      { length: 1500 },
    );
    return policy.value!(carry.weights, { observation });
  });
  const weights = policy.init(random.key(3));
  for (const x of learn({ weights, state: adam.init(weights) }).data)
    expect(Math.abs(x - target)).toBeLessThan(0.05 * Math.abs(target) + 0.02);
});

it("symlog values are clipped in symlog space, and bins are not", () => {
  const scored = { logProb: zeros([1]), entropy: zeros([1]), value: tensor([nn.symexp(tensor([3])).item()]) };
  const columns = { return: nn.symexp(tensor([5])), value: nn.symexp(tensor([2])) };
  const logs = { ...scored, extra: { valueLog: tensor([3]) } };
  expect(lossOf(logs, columns).item()).toBeCloseTo(2, 4);
  // Clipped from 2 to at most 2.5.
  expect(lossOf(logs, columns, 0.5).item()).toBeCloseTo(2.5 ** 2 / 2, 4);
  const bins = { ...scored, extra: { valueLogits: zeros([1, valueBins.length]) } };
  for (const clip of [undefined, 0.5])
    expect(lossOf(bins, columns, clip).item()).toBeCloseTo(Math.log(valueBins.length), 4);
});

it("a recurrent critic has them too, and they exclude PopArt", () => {
  const policy = recurrentActorCritic(spec, { values: "two-hot", units: 4 });
  const start = policy.init(random.key(2));
  const value = policy.value!(start, { observation }, policy.start!(4));
  for (const x of value.data) expect(Math.abs(x)).toBeLessThan(1e-3);
  expect(() => actorCritic(spec, { values: "symlog", popArt: true })).toThrow(
    'values: "symlog" already handles returns of any magnitude',
  );
});
