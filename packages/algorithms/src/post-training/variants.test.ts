import type { Algorithm } from "@reins/core";
import { setBackend } from "@reins/tensor";
import { it } from "vitest";
import { cispo } from "../cispo.ts";
import { dapo } from "../dapo.ts";
import { drGrpo } from "../dr-grpo.ts";
import { grpo } from "../grpo.ts";
import { gspo } from "../gspo.ts";
import { ppo } from "../ppo.ts";
import { reinforce } from "../reinforce.ts";
import { reinforcePlusPlus } from "../reinforce-plus-plus.ts";
import { rejection } from "../rejection.ts";
import { remax } from "../remax.ts";
import { rloo } from "../rloo.ts";
import { sft } from "../sft.ts";
import { expectLearnsAndResumes } from "./testing-resume.ts";

setBackend("wasm");

/** Methods with their defaults, with batches small enough for a test. */
const small = { groups: 4, groupSize: 4 };
const methods: { readonly [name: string]: () => Algorithm } = {
  grpo: () => grpo(small),
  "dr-grpo": () => drGrpo(small),
  dapo: () => dapo(small),
  gspo: () => gspo(small),
  cispo: () => cispo(small),
  rloo: () => rloo(small),
  "reinforce++": () => reinforcePlusPlus({ groups: 8 }),
  remax: () => remax({ groups: 8 }),
  sft: () => sft({ batch: 8 }),
  "rejection, several batches per update": () => rejection({ ...small, rounds: 3, minibatches: 2 }),
  "ppo, with its critic": () => ppo({ envs: 16, minibatches: 2 }),
  "reinforce, with its critic": () => reinforce({ episodes: 16 }),
  "reinforce without a critic": () => reinforce({ episodes: 16, baseline: false }),
};

it.each(Object.entries(methods))("%s learns and resumes exactly", async (_, make) => {
  await expectLearnsAndResumes(make);
});
