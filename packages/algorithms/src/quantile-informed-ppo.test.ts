import { type Policy, Run } from "@reins/core";
import { actorCritic } from "@reins/core/policies";
import { save } from "@reins/core/snapshots";
import { leaves, random, setBackend, type Tensor, type Tree, tensor } from "@reins/tensor";
import { expect, it } from "vitest";
import { ppo } from "./ppo.ts";
import { type QuantileCriticWeights, quantileCritic, quantileNetwork } from "./q/quantile-critic.ts";
import { type QuantileInformedPpoOptions, quantileInformedPpo } from "./quantile-informed-ppo.ts";
import { aim, corridor, score, trained } from "./testing-envs.ts";

// Runs without a compiler; tiny networks would not gain from one.
setBackend("wasm");

const small = { hidden: [8], quantiles: 4, cosines: 8, batch: 32, rounds: 4 };

const informed = (how: Partial<QuantileInformedPpoOptions> = {}) =>
  ppo.with("informed", { parts: (_, o, context) => quantileInformedPpo(o, context, { ...small, ...how }) })({
    envs: 4,
    steps: 16,
    hidden: [8],
    learningRate: 1e-2,
    gamma: 0.9,
  });

const weightsOf = (run: Run) => run.process.parts.weights as unknown as QuantileCriticWeights;
const numbers = (tree: Tree) => leaves(tree).flatMap((t: Tensor) => [...t.data]);

it("learns the outcome of each action, and so does the critic", () => {
  const env = corridor();
  const run = trained({ algorithm: informed(), env, steps: 3000, seed: 1 });
  expect(score(run)).toBeCloseTo(1);
  const valuesFor = quantileNetwork(env.spec, small).valuesFor("choice", 4);
  const said = [...valuesFor(weightsOf(run).quantiles, tensor([[0, 0, 0, 0, 1]])).data];
  const [left, right] = [said.slice(0, 4), said.slice(4)].map((q) => q.reduce((a, b) => a + b) / 4);
  // Right ends with the prize; left, and then right twice, gives it two steps later: 0.81 of it.
  expect(Math.abs(right - 1)).toBeLessThan(0.1);
  expect(Math.abs(left - 0.81)).toBeLessThan(0.15);
});

it.each([
  ["replay", true],
  ["critic", true],
  ["none", false],
] as const)("trained by %s, quantiles move: %s", (taught, moves) => {
  const run = new Run({ algorithm: informed({ trainedBy: taught }), env: corridor(), steps: 128, seed: 1 });
  const first = numbers(weightsOf(run).quantiles);
  run.advance();
  expect(numbers(weightsOf(run).quantiles).some((x, i) => x !== first[i])).toBe(moves);
});

it("resumes exactly, mid-episode", () => {
  const options = { algorithm: informed(), env: corridor(), steps: 512, seed: 2 };
  const whole = trained(options);
  const begun = new Run(options);
  begun.advance(200);
  const resumed = begun.fork();
  resumed.advance();
  expect({ ...resumed.metrics }).toEqual({ ...whole.metrics });
  expect(save(resumed.process.parts)).toEqual(save(whole.process.parts));
});

it("passes the critic different numbers with means", () => {
  const { spec } = corridor();
  const value = (shown: "each" | "mean") => {
    const own = (streams: number) => actorCritic(spec, { hidden: [8], streams }) as Policy;
    const policy = quantileCritic(spec, own, { ...small, shown });
    return policy.value!(policy.init(random.key(1)), { observation: tensor([[0, 0, 1, 0, 0]]) }).item();
  };
  expect(value("each")).not.toBe(value("mean"));
});

it("rejects continuous actions", () => {
  const options = { algorithm: informed(), env: aim(), steps: 64 };
  expect(() => trained(options)).toThrow("Aim-v0 has no discrete actions");
});
