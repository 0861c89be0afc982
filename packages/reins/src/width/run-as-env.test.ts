import { ppo } from "@reins/algorithms";
import { asEnv, episodic } from "@reins/core/loops";
import * as losses from "@reins/core/losses";
import { actorCritic } from "@reins/core/policies";
import * as targets from "@reins/core/targets";
import { make } from "@reins/envs";
import { adam } from "@reins/nn";
import { expect, it } from "vitest";
import { expectResumes, runOf } from "./testing-resumes.ts";

const inner = () =>
  asEnv({
    run: (seed) => ({
      algorithm: ppo({ envs: 4, steps: 32, hidden: [16] }),
      env: { spec: make("CartPole-v1", { rows: 1 }).spec, make: (rows) => make("CartPole-v1", { rows }) },
      steps: 384,
      seed,
    }),
    settings: { learningRate: [1e-4, 1e-2], entropyWeight: [0, 0.05] },
    observe: ["policy/entropy", "value/explained"],
    stride: 128,
  });

it("a run as an environment: an outer policy tunes the inner run during training", async () => {
  const run = await expectResumes(() =>
    runOf((context) =>
      episodic(
        {
          name: "tuner",
          policy: actorCritic(inner().spec, { hidden: [8], critic: false }),
          envs: [inner(), inner()],
          target: (batch, rewards) => ({
            advantage: targets.spread(targets.groupRelative(rewards, [0, 0], { scale: "none" }), batch),
          }),
          loss: losses.policyGradient(),
          optimiser: adam(),
          learningRate: 0.01,
          epochs: 1,
          minibatches: 1,
          normalise: "none",
        },
        context,
      ),
    ),
  );
  // Three decisions per episode.
  expect(run.metrics["length/mean"]).toBe(3);
  expect(run.metrics["return/mean"]).toBeGreaterThan(5);
});
