import * as nn from "@reins/nn";
import { leaves, matmul, type Tensor, zeros } from "@reins/tensor";
import { expect, it } from "vitest";
import { define } from "../define.ts";
import type { Env } from "../env.ts";
import { vectorise } from "../forms/vectorise.ts";
import { episodic } from "../loop/episodic.ts";
import { onPolicy } from "../loop/on-policy.ts";
import { clipped, policyGradient } from "../losses/policy-gradient.ts";
import { setting } from "../option.ts";
import { actorCritic } from "../policies/actor-critic.ts";
import type { Policy } from "../policy.ts";
import { Run } from "../run.ts";
import { average, column, type Setting } from "../signal.ts";
import { box, discrete } from "../space.ts";
import { gae } from "../targets/gae.ts";

/** One step: a light shows which of two doors it is; the reward depends on the door only. */
function doors(prizes: readonly number[]): Env {
  let door = 0;
  const see = () => Float32Array.of(door === 0 ? 1 : 0, door);
  return {
    spec: { id: "Doors-v0", observation: box([2], 0, 1), action: discrete(2) },
    reset({ context } = {}) {
      door = ((context as { door?: number } | undefined)?.door ?? 0) as number;
      return { observation: see() };
    },
    step: () => ({ observation: see(), reward: prizes[door], terminated: true, truncated: false }),
    save: () => door,
    restore: (from) => {
      door = from as number;
    },
  };
}

const prizes = [0.02, 0.5];
const options = (clip: Setting) => ({
  clip: setting(clip, "How far the policy may move.", { per: "token" }),
  learningRate: setting(0.3, "Size of a step."),
});

/** A row of logits for each light and no shared weights, so that doors do not mix. */
const table: Policy<{ logits: Tensor }> = {
  likelihood: "exact",
  init: () => ({ logits: zeros([2, 2]) }),
  act({ logits }, { observation }, state, key) {
    const said = nn.distributions.categorical({ logits: matmul(observation as Tensor, logits) });
    const action = key ? said.sample(key) : said.mode();
    return { action, logProb: said.logProb(action), state };
  },
  score({ logits }, { view: { observation }, action }) {
    const said = nn.distributions.categorical({ logits: matmul(observation as Tensor, logits) });
    return { logProb: said.logProb(action as Tensor), entropy: said.entropy() };
  },
};

/** A method that learns from both doors in one update. */
const method = (clip: Setting) =>
  define({
    name: "doors",
    summary: "",
    options: options(clip),
    start: (o, context) =>
      episodic(
        {
          name: "doors",
          policy: table,
          envs: Array.from({ length: 8 }, () => doors(prizes)),
          task: {
            next: () => [0, 1].map((door) => ({ key: `door ${door}`, context: { door }, groupSize: 8 })),
          },
          target: (batch) => ({
            // One action is better in both rooms.
            advantage: Float32Array.from((batch.columns.action as Tensor).data, (a) => (a === 1 ? 1 : -1)),
          }),
          loss: policyGradient({ ratio: clipped(o.clip) }),
          optimiser: nn.sgd(),
          learningRate: o.learningRate,
          epochs: 5,
          minibatches: 1,
          normalise: "none",
        },
        context,
      ),
  })();

const runOf = (clip: Setting) => {
  const env = { spec: doors(prizes).spec, make: (rows: number) => vectorise(() => doors(prizes), rows) };
  return new Run({ algorithm: method(clip), env, steps: 1e6, seed: 5 });
};

const weightsOf = (run: Run, door: number) =>
  Array.from(leaves(run.process.acting!.weights)[0].data).slice(door * 2, door * 2 + 2);

it("a clip that differs between two tasks in one update clips each task by its own", async () => {
  // The last return becomes the clip from the second update on.
  const byTask = runOf(average({ of: "reward", scope: "task", initial: 0.1, decay: 0 }));
  await byTask.round();
  await byTask.round();
  const moved = [0, 1].map((door) => weightsOf(byTask, door));
  for (const door of [0, 1]) {
    const constant = runOf(0.1);
    await constant.round();
    constant.set("clip", prizes[door]);
    await constant.round();
    const own = weightsOf(constant, door);
    const other = weightsOf(constant, 1 - door);
    own.forEach((w, i) => {
      expect(w).toBeCloseTo(moved[door][i], 6);
    });
    expect(Math.abs(other[0] - moved[1 - door][0])).toBeGreaterThan(1e-3);
  }
});

it("a signal that is finer than its setting is rejected by name, with the settings that support it", () => {
  const make = define({ name: "m", summary: "", options: options(0.2), start: () => expect.unreachable() });
  const row = column((c) => c.reward as Tensor);
  expect(() => make({ learningRate: row })).toThrow(
    "m: learningRate is one number for the whole run, so it cannot follow a signal with a number for each sample; these settings of m can: clip.",
  );
  const task = average({ of: "reward", scope: "task", initial: 1 });
  expect(() => make({ learningRate: task })).toThrow("a number for each task");
  expect(() => make({ clip: row })).not.toThrow();
});

it("a number for each task is rejected if steps have no task ids", () => {
  const make = define({
    name: "steps",
    summary: "",
    options: options(0.2),
    start: (o, context) =>
      onPolicy(
        {
          name: "steps",
          policy: actorCritic(context.spec, { hidden: [4] }),
          target: gae({ gamma: 0.9, lambda: 0.9 }),
          loss: policyGradient({ ratio: clipped(o.clip) }),
          optimiser: nn.sgd(),
          learningRate: o.learningRate,
          envs: 2,
          steps: 4,
          epochs: 1,
          minibatches: 1,
          normalise: "none",
        },
        context,
      ),
  });
  const env = { spec: doors(prizes).spec, make: (rows: number) => vectorise(() => doors(prizes), rows) };
  const start = (clip: Setting) => new Run({ algorithm: make({ clip }), env, steps: 100 });
  expect(() => start(average({ of: "reward", scope: "task", initial: 1 }))).toThrow(
    /clip:? has a number for each task.* Use a signal with scope run/,
  );
  expect(start(column((c) => (c.reward as Tensor).mul(0).add(0.2))).round()).toBeDefined();
});
