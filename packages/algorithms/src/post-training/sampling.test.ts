import type { Algorithm } from "@reins/core";
import { branches, characters, newModel, type Sampling } from "@reins/language";
import { random, setBackend } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { dapo } from "../dapo.ts";
import { grpo } from "../grpo.ts";
import { gspo } from "../gspo.ts";
import { ppo } from "../ppo.ts";
import { reinforce } from "../reinforce.ts";
import { rejection } from "../rejection.ts";
import { sft } from "../sft.ts";
import { finding, model, placeOf, rounds, runOf, stageOf } from "./testing.ts";
import { expectLearnsAndResumes } from "./testing-resume.ts";

setBackend("wasm");

const samplings: { readonly [name: string]: Sampling } = {
  topK: { topK: 3 },
  topP: { topP: 0.6 },
  minP: { minP: 0.4 },
  repetition: { repetition: 2 },
  temperature: { temperature: 0.6 },
  "all of them": { temperature: 1.3, topK: 4, topP: 0.8, minP: 0.1, repetition: 1.4 },
};

/** Several epochs of minibatches, each of which would show a ratio that is not 1. */
const still = { learningRate: 0, epochs: 2, minibatches: 2 };
const methods: { readonly [name: string]: () => Algorithm } = {
  grpo: () => grpo({ ...still, groups: 4, groupSize: 4 }),
  "grpo with a reference in the loss": () => grpo({ ...still, groups: 4, groupSize: 4, klWeight: 0.1 }),
  "grpo with a reference in the reward": () =>
    grpo({ ...still, groups: 4, groupSize: 4, klWeight: 0.1, klPlace: "reward" }),
  "grpo with teachers, hints, corrections and a greedy play": () =>
    grpo({ ...still, groups: 4, groupSize: 3, teachers: 1, hint: 0.5, correction: 2, baseline: "greedy" }),
  gspo: () => gspo({ ...still, groups: 4, groupSize: 4 }),
  dapo: () => dapo({ ...still, groups: 4, groupSize: 4 }),
  "ppo with its critic": () => ppo({ ...still, envs: 16 }),
};

/** Every method with all sampling options, some with each alone. */
const alone = ["grpo with a reference in the loss", "gspo", "ppo with its critic"];
const cases = Object.keys(samplings).flatMap((sampling) =>
  (sampling === "all of them" ? Object.keys(methods) : alone).map((method) => ({ sampling, method })),
);

it.each(cases)("with $sampling, $method recovers the behaviour policy", async ({ sampling, method }) => {
  const env = placeOf(stageOf({ sampling: samplings[sampling] }));
  const { metrics } = await rounds(runOf(methods[method](), { env }), 2);
  expect(Math.abs(metrics["policy/ratio"] - 1)).toBeLessThan(1e-4);
  expect(metrics["policy/clipped"]).toBe(0);
  expect(Math.abs(metrics["policy/kl"])).toBeLessThan(1e-6);
  if ("policy/reference-kl" in metrics) expect(Math.abs(metrics["policy/reference-kl"])).toBeLessThan(1e-6);
});

describe("where sampling truncates the distribution", () => {
  const sampling = samplings["all of them"];
  const place = () => ({ env: placeOf(stageOf({ sampling })) });

  it("a multi-token vocabulary and answer trees are trained on as sampled", async () => {
    const tokenizer = characters(`${finding.alphabet}${"defghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRS"}`);
    const start = newModel({ ...model.options, vocabulary: tokenizer.size }, random.key(4));
    const options = { task: finding, level: 1, start, tokenizer, rows: 16, sampling };
    const tree = { ...stageOf(options), play: branches(options, { rounds: 2 }) };
    for (const env of [placeOf(stageOf(options)), placeOf(tree)]) {
      const { metrics } = await rounds(runOf(grpo({ ...still, groups: 4, groupSize: 4 }), { env }), 1);
      expect(Math.abs(metrics["policy/ratio"] - 1)).toBeLessThan(1e-4);
      expect(metrics["policy/clipped"]).toBe(0);
    }
  });

  it.each<[string, () => Algorithm]>([
    [
      "grpo with old successes",
      () => grpo({ groups: 4, groupSize: 4, replay: 16, klWeight: 0.1, entropyWeight: 0.01 }),
    ],
    ["ppo", () => ppo({ envs: 16, minibatches: 2 })],
    ["reinforce", () => reinforce({ episodes: 16 })],
    ["rejection", () => rejection({ groups: 4, groupSize: 4 })],
    ["sft", () => sft({ batch: 8 })],
  ])("%s learns and resumes exactly", async (_, make) => {
    await expectLearnsAndResumes(make, place);
  });

  it("episodes without their kept tokens are rejected", () => {
    const { policy } = stageOf({ sampling });
    expect(() => policy.score({}, { view: { observation: {} }, action: {} })).toThrow(
      "the episodes have no column `trace`",
    );
  });
});
