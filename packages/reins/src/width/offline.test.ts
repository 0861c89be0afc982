import { box, discrete } from "@reins/core";
import { offline, policyLearner } from "@reins/core/loops";
import * as losses from "@reins/core/losses";
import { actorCritic, requireActingPolicy } from "@reins/core/policies";
import { dataset } from "@reins/core/replay";
import { adam } from "@reins/nn";
import { random, type Tensor, tensor } from "@reins/tensor";
import { expect, it } from "vitest";
import { actingOf, expectResumes, runOf } from "./testing-resumes.ts";

it("offline data instead of a rollout: a policy cloned from logs", async () => {
  const x = random.uniform(random.key(1), [256, 2], -1, 1);
  // The logged controller pushes against the first coordinate.
  const action = tensor(Int32Array.from({ length: 256 }, (_, i) => (x.data[2 * i] > 0 ? 0 : 1)));
  const spec = { id: "Log-v0", observation: box([2]), action: discrete(2) };
  const run = await expectResumes(() =>
    runOf((context) => {
      const policy = actorCritic(spec, { hidden: [16], critic: false });
      const learner = policyLearner(policy, {
        loss: losses.behaviourCloning(),
        optimiser: adam(),
        learningRate: 0.02,
        epochs: 1,
        minibatches: 1,
        normalise: "none",
      });
      const experience = dataset({ observation: x, action });
      return offline({ name: "cloning", learner, experience, batch: 64, updates: 10, policy }, context);
    }),
  );
  for (let i = 0; i < 10; i++) run.round();
  expect(run.metrics["loss/cloning"]).toBeLessThan(0.2);
  const { policy, weights } = actingOf(run.process);
  const chosen = requireActingPolicy(policy, "test").act(
    weights,
    {
      observation: tensor([
        [0.8, 0],
        [-0.8, 0],
      ]),
    },
    {},
  ).action as Tensor;
  expect(Array.from(chosen.data)).toEqual([0, 1]);
});
