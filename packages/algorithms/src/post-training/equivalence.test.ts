import {
  type Algorithm,
  type AlgorithmContext,
  define,
  phases,
  Run,
  type Snapshot,
  withSettings,
} from "@reins/core";
import { type EpisodicParts, episodic } from "@reins/core/loops";
import * as losses from "@reins/core/losses";
import { stream } from "@reins/core/random";
import * as targets from "@reins/core/targets";
import * as tasks from "@reins/core/tasks";
import { adam, sgd } from "@reins/nn";
import { setBackend, type Tree } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { groupParts, grpo } from "../grpo.ts";
import { sft } from "../sft.ts";
import { bandit } from "../testing-on-policy.ts";
import { options } from "./options.ts";
import { expectNear, model, numbersOf, rounds, runOf, weightsOf } from "./testing.ts";

setBackend("wasm");

const batch = { groups: 6, groupSize: 4 };

/** REINFORCE with the group mean as baseline, written out. */
const written = (more: Partial<EpisodicParts>): Algorithm => ({
  name: "written",
  options: {},
  start(context: AlgorithmContext) {
    const { policy, play, judge } = context.place.stage!;
    const parts: EpisodicParts = {
      name: "written",
      policy,
      rollout: play,
      judge,
      task: tasks.endless({ seed: stream(context.seed, "tasks"), ...batch }),
      target: (texts, rewards) => ({
        advantage: targets.spread(
          targets.groupRelative(rewards, targets.groupsOf(texts), { scale: "none", baseline: "mean" }),
          texts,
        ),
      }),
      loss: losses.policyGradient(),
      optimiser: adam({ epsilon: 1e-5 }),
      learningRate: 1e-2,
      epochs: 1,
      minibatches: 1,
      normalise: "none",
      ...more,
    };
    return withSettings(episodic(parts, context as AlgorithmContext), {});
  },
});

const plain = {
  ...batch,
  scale: "none",
  ratioBound: "none",
  epochs: 1,
  clipNorm: 1e9,
  learningRate: 1e-2,
} as const;
/** GRPO whose update is the gradient itself. */
const stepping = define({
  name: "stepping",
  options,
  summary: "",
  learnsFrom: "both",
  start: (o, context) => episodic({ ...groupParts("stepping", o, context), optimiser: sgd({}) }, context),
});

describe("GRPO with one update and no clipping equals REINFORCE with the group mean", () => {
  it("equal weights after an update", async () => {
    const [one, other] = [await rounds(runOf(grpo(plain)), 1), await rounds(runOf(written({})), 1)];
    expectNear(weightsOf(one), weightsOf(other));
    expect(weightsOf(one)).not.toEqual(numbersOf(model.params as unknown as Tree));
  });

  it("equal gradients", async () => {
    const one = await rounds(runOf(stepping({ ...plain, learningRate: 1 })), 1);
    const other = await rounds(runOf(written({ optimiser: sgd({}), learningRate: 1 })), 1);
    expectNear(weightsOf(one), weightsOf(other));
    expect(one.metrics["gradient/norm"]).toBeCloseTo(other.metrics["gradient/norm"], 6);
    expect(one.metrics["gradient/norm"]).toBeGreaterThan(0.01);
  });
});

describe("the reference of the KL divergence", () => {
  const tied = { ...batch, epochs: 1, klWeight: 0.1, learningRate: 3e-2 };
  const both = () =>
    runOf(
      phases("both", [
        { algorithm: sft({ batch: 8, learningRate: 3e-2 }), steps: 1 },
        { algorithm: grpo(tied) },
      ]),
    );
  const referenceOf = (run: Run) => {
    const { process } = run.save() as { process: { phase: { process: { [part: string]: Snapshot } } } };
    return (process.phase.process.reference as { weights: Tree }).weights;
  };

  it("is the previous phase's final weights, and is saved", async () => {
    const run = await rounds(both(), 1);
    const imitated = weightsOf(run);
    expect(imitated).not.toEqual(numbersOf(model.params as unknown as Tree));
    await rounds(run, 1);
    // The first update is measured before it changes anything.
    expect(run.metrics["policy/reference-kl"]).toBe(0);
    expect(numbersOf(referenceOf(run))).toEqual(imitated);
    const saved = run.save();
    await rounds(run, 1);
    expect(run.metrics["policy/reference-kl"]).toBeGreaterThan(0);
    expect(numbersOf(referenceOf(run))).toEqual(imitated);

    const resumed = both();
    resumed.restore(saved);
    await rounds(resumed, 1);
    expect(numbersOf(referenceOf(resumed))).toEqual(imitated);
    expect(resumed.metrics["policy/reference-kl"]).toBe(run.metrics["policy/reference-kl"]);
    expect(weightsOf(resumed)).toEqual(weightsOf(run));
  });

  it("has no effect at first, while the KL is 0, and an effect later", async () => {
    const [free, paying] = [
      await rounds(runOf(grpo({ ...tied, klWeight: 0 })), 1),
      await rounds(runOf(grpo({ ...tied, klWeight: 5, klPlace: "reward" })), 1),
    ];
    expectNear(weightsOf(paying), weightsOf(free));
    await rounds(free, 1);
    await rounds(paying, 1);
    expect(weightsOf(paying)).not.toEqual(weightsOf(free));
  });
});

it("explains which options need a language task", () => {
  const on = (algorithm: Algorithm) => new Run({ algorithm, env: bandit(), steps: 10 });
  expect(() => on(grpo({ klWeight: 0.1, klPlace: "reward" }))).toThrow('Set klPlace to "loss"');
  expect(() => on(grpo({ curriculum: "learnable" }))).toThrow("no difficulty levels");
  for (const given of [{ baseline: "greedy" as const }, { teachers: 1 }, { hint: 0.5 }])
    expect(() => on(grpo(given))).toThrow("need a language task");
});

describe("an accumulated gradient is the whole batch's", () => {
  it.each([
    ["SFT", (accumulate: number) => sft({ batch: 12, accumulate })],
    ["GRPO", (accumulate: number) => grpo({ ...plain, aggregation: "text", minibatches: 2, accumulate })],
  ] as const)("%s: equal weights for any number of parts", async (_, made) => {
    const whole = weightsOf(await rounds(runOf(made(1)), 1));
    // Completions of different lengths, and padding rows: parts have different numbers of trained tokens.
    for (const parts of [2, 4]) expectNear(weightsOf(await rounds(runOf(made(parts)), 1)), whole);
  });
});
