import type { TracedEnv } from "@reins/core";
import { fromTraced } from "@reins/core/forms";
import { onPolicy } from "@reins/core/loops";
import * as losses from "@reins/core/losses";
import { actorCritic } from "@reins/core/policies";
import { defaultRng } from "@reins/core/random";
import * as targets from "@reins/core/targets";
import { make } from "@reins/envs";
import { adam, type MlpParams, mlp } from "@reins/nn";
import {
  abs,
  add,
  cast,
  compile,
  concat,
  expandDims,
  gt,
  mseLoss,
  or,
  random,
  slice,
  squeeze,
  sub,
  type Tensor,
  valueAndGradient,
  zeros,
} from "@reins/tensor";
import { expect, it } from "vitest";
import { expectResumes, runOf } from "./testing-resumes.ts";

const real = make("CartPole-v1", { rows: 16 });
const network = mlp({ inputs: 5, hidden: [32], outputs: 4 });
const change = (w: MlpParams, x: Tensor, a: Tensor) =>
  network.apply(w, concat([x, expandDims(cast(a, "f32"), 1)], 1));

/** A world model: an environment made of a network's weights. */
const imagined: TracedEnv<MlpParams, Tensor> = {
  spec: { ...real.spec, id: "Imagined-v0", maxSteps: 50 },
  reset: (_, rows, key) => random.uniform(key, [rows, 4], -0.05, 0.05),
  observe: (_, state) => state,
  step(w, state, action) {
    const next = add(state, change(w, state, action as Tensor));
    const at = (i: number) => abs(squeeze(slice(next, [null, [i, i + 1]]), 1));
    return {
      state: next,
      reward: zeros([next.shape[0]]).add(1),
      terminated: or(gt(at(0), 2.4), gt(at(2), 0.21)),
    };
  },
};

it("a learned world model as a TracedEnv: the policy trains in imagination only", async () => {
  const run = await expectResumes(() =>
    runOf((context) => {
      const model = network.init(context.key);
      const optimiser = adam({ learningRate: 3e-3 });
      const state = optimiser.init(model);
      const x = zeros([16, 4]);
      const y = zeros([16, 4]);
      const action = zeros([16], "i32");
      const fit = compile(
        (w: MlpParams, s: typeof state, a: Tensor, from: Tensor, to: Tensor) => {
          const { value, gradient } = valueAndGradient((p: MlpParams) =>
            mseLoss(change(p, from, a), sub(to, from)),
          )(w);
          return { ...optimiser.update(gradient, s, w), value };
        },
        { donate: [0, 1] },
      ).bind(model, state, action, x, y);
      const rng = defaultRng(context.seed);
      real.reset({ seed: 1 });
      const dreaming = onPolicy(
        {
          name: "dreamer",
          policy: actorCritic(real.spec, { hidden: [16] }),
          target: targets.gae({ gamma: 0.99, lambda: 0.95 }),
          loss: losses.sum(losses.policyGradient({ ratio: losses.clipped(0.2) }), losses.valueError()),
          optimiser: adam(),
          learningRate: 1e-3,
          envs: 8,
          steps: 16,
          epochs: 2,
          minibatches: 2,
          normalise: "minibatch",
        },
        { ...context, env: (rows) => fromTraced(imagined, model, rows) },
      );
      return {
        get steps() {
          return dreaming.steps;
        },
        step() {
          for (let t = 0; t < 20; t++) {
            x.set((real.observation as Tensor).data);
            for (let i = 0; i < 16; i++) action.data[i] = rng.integers(0, 2);
            real.step(action);
            // The final observation of an episode, not the first one of the next.
            const [next, final] = [(real.observation as Tensor).data, (real.final as Tensor).data];
            for (let i = 0; i < 64; i++) y.data[i] = real.terminated.data[i >> 2] ? final[i] : next[i];
            fit.run();
          }
          return { ...(dreaming.step() as object), "model/error": fit.result.value.item() };
        },
        parts: {
          ...dreaming.parts,
          model,
          state,
          real,
          rng,
        },
      };
    }),
  );
  const first = run.metrics["model/error"];
  for (let i = 0; i < 20; i++) run.round();
  expect(run.metrics["model/error"]).toBeLessThan(first);
});
