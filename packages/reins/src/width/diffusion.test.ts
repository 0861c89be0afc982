import type { Policy } from "@reins/core";
import { onPolicy } from "@reins/core/loops";
import * as losses from "@reins/core/losses";
import * as targets from "@reins/core/targets";
import { make } from "@reins/envs";
import { adam, distributions, type MlpParams, mlp } from "@reins/nn";
import {
  add,
  clamp,
  concat,
  full,
  mul,
  random,
  slice,
  squeeze,
  stack,
  sum,
  type Tensor,
  zeros,
} from "@reins/tensor";
import { expect, it } from "vitest";
import { expectResumes, runOf } from "./testing-resumes.ts";

const rounds = 4;
const noise = 0.4;
type Weights = { denoise: MlpParams; critic: MlpParams };
const denoiser = mlp({ inputs: 5, hidden: [16], outputs: 1 });
const critic = mlp({ inputs: 3, hidden: [16], outputs: 1 });

/** The next sample of the chain, given the observation, the previous sample and the step of the chain. */
const next = (w: Weights, x: Tensor, a: Tensor, k: number) =>
  distributions.normal({
    mean: add(a, denoiser.apply(w.denoise, concat([x, a, full([x.shape[0], 1], k / rounds)], 1))),
    logStd: full(a.shape, Math.log(noise)),
  });

/** An action is the result of denoising. The chain [rows, rounds + 1, 1] is its trace. */
const diffusion: Policy<Weights> = {
  likelihood: "exact",
  init(key) {
    const [a, b] = random.splitKey(key, 2);
    return { denoise: denoiser.init(a), critic: critic.init(b) };
  },
  act(w, { observation }, state, key) {
    const x = observation as Tensor;
    const keys = key ? random.splitKey(key, rounds + 1) : [];
    const chain = [key ? random.normal(keys[rounds], [x.shape[0], 1]) : zeros([x.shape[0], 1])];
    for (let k = 0; k < rounds; k++) {
      const d = next(w, x, chain[k], k);
      chain.push(key ? d.sample(keys[k]) : d.mode());
    }
    const trace = stack(chain, 1);
    const { logProb, value } = this.score(w, { view: { observation }, action: chain[rounds], trace });
    return { action: mul(clamp(chain[rounds], -1, 1), 2), logProb, value, state, trace };
  },
  // The likelihood of an action is that of its denoising chain (Ren et al., 2024).
  score(w, { view: { observation }, trace }) {
    const x = observation as Tensor;
    const at = (k: number) => squeeze(slice(trace as Tensor, [null, [k, k + 1]]), 1);
    const steps = Array.from({ length: rounds }, (_, k) => next(w, x, at(k), k));
    return {
      logProb: sum(stack(steps.map((d, k) => d.logProb(at(k + 1)))), 0),
      entropy: sum(stack(steps.map((d) => d.entropy())), 0),
      value: squeeze(critic.apply(w.critic, x), -1),
    };
  },
  value: (w, { observation }) => squeeze(critic.apply(w.critic, observation as Tensor), -1),
};

it("a diffusion policy whose denoising chain is the action's trace", async () => {
  const run = await expectResumes(() =>
    runOf((context) =>
      onPolicy(
        {
          name: "diffusion",
          policy: diffusion,
          target: targets.gae({ gamma: 0.9, lambda: 0.9 }),
          loss: losses.sum(losses.policyGradient({ ratio: losses.clipped(0.2) }), losses.valueError()),
          optimiser: adam(),
          learningRate: 1e-3,
          clipNorm: 1,
          envs: 4,
          steps: 32,
          epochs: 2,
          minibatches: 4,
          normalise: "minibatch",
        },
        { ...context, env: (rows) => make("Pendulum-v1", { rows }) },
      ),
    ),
  );
  const trace = run.process.inspect?.().columns?.trace as Tensor;
  expect(trace.shape).toEqual([32, 4, rounds + 1, 1]);
  expect(run.metrics["policy/kl"]).toBeGreaterThan(0);
});
