import { mul, sub } from "@reins/tensor";
import { cheetahBody } from "./cheetah-body.ts";
import { effort, forward, labelsOf } from "./legged-robots.ts";
import type { PlanarTask } from "./world.ts";

const [interval, substeps] = [0.01, 5];

/** Run forward as fast as possible on a hind leg and a foreleg: observation and reward are those of HalfCheetah-v5. */
export const planarCheetah: PlanarTask = {
  id: "PlanarCheetah-v0",
  body: cheetahBody,
  gravity: 9.81,
  interval,
  substeps,
  maxSteps: 1000,
  size: 17,
  labels: labelsOf(cheetahBody, "torso"),
  view: { across: 4, middle: [0, 0.8], follows: true, ground: true },
  begin: ({ uniform, normal }) => ({ q: uniform(9, -0.1, 0.1), v: normal(9, 0.1), goal: [] }),
  observe: ({ q, v }) => [...q.slice(1), ...v],
  reward: (before, after, actions) =>
    sub(forward(before, after, interval * substeps), mul(effort(actions), 0.1)),
};
