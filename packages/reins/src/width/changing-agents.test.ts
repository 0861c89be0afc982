import { box, discrete, type MultiEnv } from "@reins/core";
import { vectoriseMulti } from "@reins/core/forms";
import { onPolicy } from "@reins/core/loops";
import * as losses from "@reins/core/losses";
import { actorCritic } from "@reins/core/policies";
import * as targets from "@reins/core/targets";
import { adam } from "@reins/nn";
import type { Tensor } from "@reins/tensor";
import { expect, it } from "vitest";
import { expectResumes, runOf } from "./testing-resumes.ts";

/** Three agent slots. In step t slot t % 3 is empty; the reward is 1 for the action that the clock shows (0 or 1). */
function counter(): MultiEnv {
  let t = 0;
  const see = () => [0, 1, 2].map((slot) => (t % 3 === slot ? null : [t % 2, slot]));
  return {
    spec: {
      id: "Counter-v0",
      observation: box([2]),
      action: discrete(2),
      agents: { names: ["a", "b", "c"], order: "parallel" },
    },
    reset: () => {
      t = 0;
      return { observations: see() };
    },
    step(actions) {
      const rewards = actions.map((a) => (a === t % 2 ? 1 : 0));
      const leaving = [0, 1, 2].map((slot) => (t + 1) % 3 === slot && actions[slot] !== null);
      t++;
      return {
        observations: see(),
        rewards,
        terminated: leaving,
        truncated: [false, false, false],
        over: t >= 9,
      };
    },
    save: () => t,
    restore: (s) => {
      t = s as number;
    },
  };
}

it("agents that come and go: absent ones neither act nor enter the loss", async () => {
  const run = await expectResumes(() =>
    runOf((context) =>
      onPolicy(
        {
          name: "guests",
          policy: actorCritic(counter().spec, { hidden: [8] }),
          target: targets.gae({ gamma: 0.9, lambda: 0.9 }),
          loss: losses.sum(losses.policyGradient({ ratio: losses.clipped(0.2) }), losses.valueError()),
          optimiser: adam(),
          learningRate: 0.01,
          envs: 12,
          steps: 9,
          epochs: 2,
          minibatches: 1,
          normalise: "none",
        },
        { ...context, env: (rows) => vectoriseMulti(counter, rows / 3) },
      ),
    ),
  );
  const alive = run.process.inspect?.().columns?.alive as Tensor;
  const share = Array.from(alive.data).reduce((a, b) => a + b, 0) / alive.size;
  expect(share).toBeCloseTo(2 / 3);
  expect(run.metrics.episodes).toBeGreaterThan(0);
});
