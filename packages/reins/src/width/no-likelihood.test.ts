import type { ActingPolicy } from "@reins/core";
import { Actor, EpisodeMeter, onPolicy } from "@reins/core/loops";
import * as losses from "@reins/core/losses";
import * as targets from "@reins/core/targets";
import { make } from "@reins/envs";
import { adam } from "@reins/nn";
import {
  argmax,
  compile,
  einsum,
  expandDims,
  mean,
  mul,
  random,
  scalar,
  std,
  sub,
  type Tensor,
  zeros,
} from "@reins/tensor";
import { expect, it } from "vitest";
import { expectResumes, runOf } from "./testing-resumes.ts";

/** A linear policy with one matrix per row, for a population. Its actions have no likelihood. */
const population: ActingPolicy<Tensor> = {
  init: () => zeros([32, 4, 2]),
  act: (w, { observation }, state) => ({
    action: argmax(einsum("pi,pij->pj", observation as Tensor, w)),
    state,
  }),
};

it("a policy with no likelihood: evolution strategies, and losses that refuse it", async () => {
  const run = await expectResumes(() =>
    runOf((context) => {
      const env = make("CartPole-v1", { rows: 32 });
      const centre = zeros([4, 2]);
      const weights = population.init(context.key);
      const fitness = zeros([32]);
      const [noiseKey, actKey] = random.splitKey(context.key, 2);
      const count = scalar(0, "i32");
      const noise = (k: Tensor, c: Tensor) => random.normal(random.foldKey(k, c), [32, 4, 2]);
      const perturb = compile((m: Tensor, k: Tensor, c: Tensor) => m.add(mul(noise(k, c), 0.5)));
      const learn = compile((m: Tensor, f: Tensor, k: Tensor, c: Tensor) => {
        const score = sub(f, mean(f)).div(std(f).add(1e-6));
        return m.add(mul(mean(mul(noise(k, c), expandDims(expandDims(score, -1), -1)), 0), 0.5));
      });
      const actor = new Actor({
        policy: population,
        weights,
        rows: 32,
        view: { observation: env.observation },
        key: actKey,
      });
      const meter = new EpisodeMeter();
      const counters = { steps: 0 };
      const metrics: Record<string, number> = {};
      return {
        get steps() {
          return counters.steps;
        },
        step() {
          weights.set(perturb(centre, noiseKey, count).data);
          env.reset({ seed: 1000 * count.data[0] });
          const alive = new Uint8Array(32).fill(1);
          for (let t = 0; t < 100; t++, counters.steps += 32) {
            env.step(actor.act().action);
            env.terminated.data.forEach((over, i) => {
              if (over && alive[i]) fitness.data[i] = env.ended.return[i];
              if (over) alive[i] = 0;
            });
          }
          alive.forEach((a, i) => a && (fitness.data[i] = 100));
          centre.set(learn(centre, fitness, noiseKey, count).data);
          count.data[0]++;
          fitness.data.forEach((f) => meter.add(f, f));
          meter.report(metrics, context.statistics);
          return metrics;
        },
        parts: { centre, weights, count, counters, actor, meter, env },
      };
    }),
  );
  for (let i = 0; i < 12; i++) run.round();
  expect(run.metrics["return/mean"]).toBeGreaterThan(60);

  const ratios = () =>
    runOf((context) =>
      onPolicy(
        {
          name: "ppo",
          // @ts-expect-error: it cannot score actions.
          policy: population,
          target: targets.gae({ gamma: 1, lambda: 1 }),
          loss: losses.policyGradient({ ratio: losses.clipped(0.2) }),
          optimiser: adam(),
          learningRate: 1e-3,
          envs: 1,
          steps: 8,
          epochs: 1,
          minibatches: 1,
          normalise: "none",
        },
        context,
      ),
    );
  expect(ratios).toThrow("the policy gradient needs the likelihood of actions, but this policy only acts.");
});
