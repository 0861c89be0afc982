import type { Algorithm } from "@reins/core";
import * as signals from "@reins/core/signals";
import { setBackend } from "@reins/tensor";
import { it } from "vitest";
import { grpo } from "../grpo.ts";
import { placeOf, stageOf } from "./testing.ts";
import { expectLearnsAndResumes } from "./testing-resume.ts";

setBackend("wasm");

const small = { groups: 4, groupSize: 4, epochs: 2, learningRate: 3e-2 };
const parts: { readonly [name: string]: () => Algorithm } = {
  "replay, and flat groups dropped": () =>
    grpo({ ...small, pool: 6, replay: 4, filter: "flat", minibatches: 2 }),
  "flat groups resampled": () => grpo({ ...small, filter: "refill" }),
  "allocation by problem": () => grpo({ ...small, allocation: "uncertain", pool: 6 }),
  "a curriculum with allocation": () => grpo({ ...small, curriculum: "learnable", allocation: "uncertain" }),
  "teachers, with importance correction": () => grpo({ ...small, teachers: 1, correction: 2 }),
  "KL in the loss, a geometric mean": () =>
    grpo({ ...small, klWeight: 0.1, ratioBound: "geometric", aggregation: "text" }),
  "KL in the reward, with length and format rewards": () =>
    grpo({
      ...small,
      klWeight: 0.1,
      klPlace: "reward",
      lengthWeight: 0.1,
      formatWeight: 0.1,
      overlongMargin: 2,
    }),
};

it.each(Object.entries(parts))("%s: resumes exactly", async (_, make) => {
  await expectLearnsAndResumes(make);
});

it("a falling hint: resumes exactly", async () => {
  // Of the three letters of an answer at the second level, one is hinted at first, and none at the end.
  const make = () => grpo({ ...small, hint: signals.linear(0.5, 0) });
  await expectLearnsAndResumes(make, () => ({ env: placeOf(stageOf({ level: 2 })), steps: 200 }));
});
