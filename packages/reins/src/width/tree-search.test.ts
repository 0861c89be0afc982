import type { Env, PolicyInput, Saved } from "@reins/core";
import { episodic } from "@reins/core/loops";
import * as losses from "@reins/core/losses";
import { actorCritic } from "@reins/core/policies";
import { isSaved } from "@reins/core/snapshots";
import { makeSingle } from "@reins/envs";
import { adam } from "@reins/nn";
import { type Tensor, tensor } from "@reins/tensor";
import { expect, it } from "vitest";
import { expectResumes, runOf } from "./testing-resumes.ts";

type Simulator = Env & Saved;
/** An environment with lookahead through save and restore. */
const simulator = (): Simulator => {
  const env = makeSingle("CartPole-v1");
  return isSaved(env) ? env : expect.unreachable();
};

/** Maximum steps, up to `depth`, that a full lookahead survives after an action. */
function survives(env: Simulator, action: number, depth: number): number {
  const { terminated } = env.step(action);
  if (terminated) return 0;
  if (depth === 0) return 1;
  const here = env.save();
  let best = 0;
  for (const next of [0, 1]) {
    env.restore(here);
    best = Math.max(best, survives(env, next, depth - 1));
  }
  return 1 + best;
}

it("tree search inside a rollout: the expert looks ahead with save and restore, the network imitates it", async () => {
  const run = await expectResumes(() =>
    runOf((context) => {
      const envs = [simulator(), simulator()];
      const network = actorCritic(envs[0].spec, { hidden: [16], critic: false });
      const act = (_w: unknown, view: PolicyInput, state: unknown) => {
        const actions = envs.map((env, row) => {
          // A row without an episode in progress has nothing to search.
          if ((view.observation as Tensor).data.subarray(4 * row, 4 * row + 4).every((v) => v === 0))
            return 0;
          const here = env.save();
          const worth = [0, 1].map((a) => {
            env.restore(here);
            return survives(env, a, 4);
          });
          env.restore(here);
          const lean = (view.observation as Tensor).data[4 * row + 2];
          return worth[0] === worth[1] ? (lean > 0 ? 1 : 0) : worth[1] > worth[0] ? 1 : 0;
        });
        return { action: tensor(Int32Array.from(actions)), state };
      };
      return episodic(
        {
          name: "expert iteration",
          policy: { ...network, host: true, act },
          envs,
          task: { next: (s) => [{ key: "start", seed: s.get("reward/mean")?.count ?? 0, groupSize: 2 }] },
          target: (batch) => ({
            advantage: new Float32Array(batch.index.kind === "episodes" ? batch.index.starts[2] : 0),
          }),
          loss: losses.behaviourCloning(),
          optimiser: adam(),
          learningRate: 0.01,
          epochs: 8,
          minibatches: 1,
          normalise: "none",
        },
        { ...context },
      );
    }),
  );
  expect(run.metrics["return/mean"]).toBeGreaterThan(30);
  expect(run.metrics["loss/cloning"]).toBeLessThan(0.69);
});
