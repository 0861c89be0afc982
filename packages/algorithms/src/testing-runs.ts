import type { Run } from "@reins/core";
import * as signals from "@reins/core/signals";
import { leaves, type Tree } from "@reins/tensor";
import { digestOf } from "../../tensor/dist/testing/index.js";
import { dqn } from "./dqn.ts";
import { grpo } from "./grpo.ts";
import { ppo } from "./ppo.ts";
import { sac } from "./sac.ts";
import { td3 } from "./td3.ts";
import { aim, corridor, trained } from "./testing-envs.ts";

const replayed = { hidden: [24], batch: 32, learningStarts: 64, capacity: 300 };

/** Short runs whose weights are bit-identical on every machine. */
export const sameRuns: Readonly<Record<string, () => Run>> = {
  "ppo, a number": () =>
    trained({ algorithm: ppo({ hidden: [32, 32], envs: 8, steps: 32 }), env: aim(), steps: 1024, seed: 1 }),
  "ppo, a corridor": () =>
    trained({ algorithm: ppo({ hidden: [33], envs: 4, steps: 64 }), env: corridor(), steps: 1024, seed: 2 }),
  dqn: () =>
    trained({
      algorithm: dqn({
        hidden: [24],
        batch: 32,
        learningStarts: 64,
        targetEvery: 20,
        capacity: 300,
        epsilon: signals.linear(1, 0.1, 0.3),
      }),
      env: corridor(),
      steps: 400,
      seed: 3,
    }),
  sac: () => trained({ algorithm: sac(replayed), env: aim(), steps: 300, seed: 5 }),
  td3: () => trained({ algorithm: td3(replayed), env: aim(), steps: 300, seed: 6 }),
  grpo: () =>
    trained({
      algorithm: grpo({ groups: 4, groupSize: 8, hidden: [16] }),
      env: corridor(),
      steps: 800,
      seed: 4,
    }),
};

/** The digest of a run's weights. */
export function weightsDigest(run: Run): string {
  const weights = leaves(run.process.acting?.weights as Tree);
  if (weights.length === 0) throw new Error("This run has no weights.");
  return digestOf(weights);
}
