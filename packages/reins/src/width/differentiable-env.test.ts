import { box, type TracedEnv } from "@reins/core";
import { adam, mlp } from "@reins/nn";
import {
  add,
  compile,
  concat,
  gt,
  mean,
  mul,
  neg,
  random,
  reshape,
  scalar,
  scan,
  square,
  squeeze,
  sub,
  type Tensor,
  tanh,
  valueAndGradient,
  zeros,
} from "@reins/tensor";
import { expect, it } from "vitest";
import { expectResumes, runOf } from "./testing-resumes.ts";

type State = { position: Tensor; speed: Tensor };
/** A cart on a rail; the goal is to stand still in the middle. */
const cart: TracedEnv<{ mass: Tensor }, State> = {
  spec: { id: "Rail-v0", observation: box([2]), action: box([1], -1, 1) },
  reset: (_, rows, key) => ({ position: random.uniform(key, [rows], -1, 1), speed: zeros([rows]) }),
  observe: (_, { position, speed }) =>
    concat(
      [position, speed].map((t) => reshape(t, [t.shape[0], 1])),
      1,
    ),
  step({ mass }, { position, speed }, action) {
    const faster = add(speed, mul(0.2, squeeze(action as Tensor, 1).div(mass)));
    const moved = add(position, mul(faster, 0.2));
    return {
      state: { position: moved, speed: faster },
      reward: neg(add(square(moved), mul(square(faster), 0.1))),
      terminated: gt(moved, 100),
    };
  },
};

it("a gradient through a differentiable environment: the policy follows the gradient of the return", async () => {
  const run = await expectResumes(() =>
    runOf((context) => {
      const network = mlp({ inputs: 2, hidden: [16], outputs: 1 });
      const weights = network.init(context.key);
      const optimiser = adam({ learningRate: 0.02 });
      const state = optimiser.init(weights);
      const count = scalar(0, "i32");
      const physics = { mass: scalar(1) };
      const update = compile(
        (w: typeof weights, s: typeof state, key: Tensor, c: Tensor) => {
          const loss = (p: typeof weights) => {
            const start = cart.reset(physics, 16, random.foldKey(key, c));
            const { ys } = scan(
              (at: State, _: undefined) => {
                const action = tanh(network.apply(p, cart.observe(physics, at) as Tensor));
                const { state: next, reward } = cart.step(physics, at, action, key);
                return [next, reward] as const;
              },
              start,
              undefined,
              { length: 20 },
            );
            return sub(0, mean(ys));
          };
          const { value, gradient } = valueAndGradient(loss)(w);
          return { ...optimiser.update(gradient, s, w), value };
        },
        { donate: [0, 1] },
      ).bind(weights, state, context.key, count);
      return {
        get steps() {
          return count.data[0] * 320;
        },
        step() {
          update.run();
          count.data[0]++;
          return { "return/mean": -update.result.value.item() };
        },
        parts: { weights, state, count },
      };
    }),
  );
  const first = run.metrics["return/mean"];
  for (let i = 0; i < 150; i++) run.round();
  expect(run.metrics["return/mean"]).toBeGreaterThan(first * 0.8);
});
