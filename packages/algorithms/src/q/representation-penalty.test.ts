import { discrete, Run } from "@reins/core";
import { random, setBackend, tensor } from "@reins/tensor";
import { expect, it } from "vitest";
import { dqn, dqnParts } from "../dqn.ts";
import { endless, fingerprint } from "../testing-envs.ts";
import { qNetwork } from "./network.ts";
import { lastLayer, priced } from "./representation-penalty.ts";
import { bellmanSimilarity } from "./similarity.ts";

setBackend("wasm");

const shape = { inputs: 3, actions: 2, atoms: 1, hidden: [5, 4], dueling: false, noisy: false };
const network = qNetwork(shape);
const params = network.init(random.key(1));
const x = random.normal(random.key(2), [6, 3]);

it("exposes features in which values are linear", () => {
  const { features, heads } = lastLayer(params, x);
  const { bias } = (params.advantage as { bias: ReturnType<typeof tensor> }[])[1];
  const values = features.matmul(heads.transpose(0, 1)).add(bias);
  const made = network.apply(params, x);
  for (const [i, v] of Array.from(made.data).entries()) expect(values.data[i]).toBeCloseTo(v, 5);
});

it("penalises only transitions whose next greedy action equals the taken one", () => {
  const body = { features: 3, apply: (_: unknown, seen: unknown) => seen as typeof x };
  const values = (w: unknown, seen: unknown) => network.apply(w as typeof params, seen as typeof x);
  const beside = priced("test", ({ reward }) => reward, { space: discrete(2), network: shape, body, values });
  const best = Array.from(values(params, x).argmax(1).data, Number);
  const priceOf = (action: number[]) =>
    beside(params, {
      target: params,
      batch: {
        observation: x,
        next: x,
        action: tensor(action, { dtype: "i32" }),
        reward: tensor([1, 2, 3, 4, 5, 6]),
        discount: tensor([1, 1, 1, 1, 1, 1]),
      } as never,
      key: random.key(0),
    }).item();
  expect(priceOf(best)).toBeCloseTo(21 / 6, 5);
  expect(priceOf(best.map((a, i) => (i === 2 ? a : 1 - a)))).toBeCloseTo(3 / 6, 5);
});

it("DQN with a representation penalty trains differently, and rejects non-linear values", () => {
  const charged = dqn.with("priced", {
    parts: (_, o, context) => dqnParts(o, context, "priced", { penalty: bellmanSimilarity(1) }),
  });
  const options = { hidden: [16], batch: 16, learningStarts: 50, trainEvery: 4, capacity: 500, gamma: 0.5 };
  const done = (algorithm: typeof dqn, more = {}) => {
    const run = new Run({
      algorithm: algorithm({ ...options, ...more }),
      env: endless("discrete"),
      steps: 600,
      seed: 1,
    });
    run.advance();
    return fingerprint(run);
  };
  expect(done(charged)).not.toEqual(done(dqn));
  expect(() => done(charged, { dueling: true })).toThrow("linear in the last hidden layer");
});
