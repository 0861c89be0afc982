import { box, discrete, type Policy, type TrainState } from "@reins/core";
import { recordedStep } from "@reins/core/episodes";
import { learnFrom } from "@reins/core/loops";
import * as losses from "@reins/core/losses";
import { actorCritic } from "@reins/core/policies";
import { adam, sgd } from "@reins/nn";
import {
  compile,
  exp,
  mean,
  mul,
  neg,
  random,
  scalar,
  type Tensor,
  type Tree,
  tensor,
  valueAndGradient,
} from "@reins/tensor";
import { expect, it } from "vitest";
import { expectResumes, runOf } from "./testing-resumes.ts";

const spec = { id: "Arms-v0", observation: box([1]), action: discrete(3) };
const columns = (key: Tensor) => {
  const action = random.randint(key, [32], 0, 3);
  // Arm 2 has the reward; the baseline is the mean of all arms.
  const advantage = mul(action.eq(2).cast("f32"), 1.5).sub(0.5);
  return { observation: tensor(new Float32Array(32).fill(1), { shape: [32, 1] }), action, advantage };
};

it("a meta-gradient through an update: the learning rate is trained through its own update", async () => {
  const run = await expectResumes(() =>
    runOf((context) => {
      const policy: Policy = actorCritic(spec, { hidden: [8], critic: false });
      const inner = sgd();
      const weights = policy.init(context.key);
      const learned = { weights, optimiser: inner.init(weights) };
      const meta = { logRate: scalar(Math.log(0.01)) };
      const outer = adam({ learningRate: 0.1 });
      const outerState = outer.init(meta);
      const count = scalar(0, "i32");
      const gain = (w: Tree, c: ReturnType<typeof columns>) =>
        mean(mul(policy.score(w, recordedStep(c)).logProb, c.advantage));
      const update = compile(
        (l: TrainState, m: typeof meta, s: typeof outerState, key: Tensor, n: Tensor) => {
          const [now, later] = random.splitKey(random.foldKey(key, n), 2);
          const step = (rate: Tensor) =>
            learnFrom(
              {
                loss: losses.policyGradient(),
                optimiser: inner,
                learningRate: rate,
                epochs: 2,
                minibatches: 1,
                normalise: "none",
              },
              { policy, learned: l, columns: columns(now), key },
            );
          const { value, gradient } = valueAndGradient((x: typeof meta) =>
            neg(gain(step(exp(x.logRate)).state.weights, columns(later))),
          )(m);
          const { weights: w, optimiser } = step(exp(m.logRate)).state;
          const next = outer.update(gradient, s, m);
          return { learned: { weights: w, optimiser }, meta: next.params, state: next.state, value };
        },
        { donate: [0, 1, 2] },
      ).bind(learned, meta, outerState, context.key, count);
      return {
        get steps() {
          return count.data[0] * 32;
        },
        step() {
          update.run();
          count.data[0]++;
          return { "loss/outer": update.result.value.item(), rate: Math.exp(meta.logRate.item()) };
        },
        parts: { learned, meta, outerState, count },
      };
    }),
  );
  for (let i = 0; i < 20; i++) run.round();
  // A higher learning rate would have gained more, and the rate has risen.
  expect(run.metrics.rate).toBeGreaterThan(0.02);
});
