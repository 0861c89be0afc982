import { type OptionsOf, size } from "@reins/core";
import { planarState, torques } from "../body-labels.ts";
import type { Simulation } from "./simulation.ts";
import { common, effort, excluded, type MujocoTask, noise, put, putClipped, shake, weight } from "./task.ts";

/** Options of what walks in a plane, beside what it calls healthy. */
export const walkingOptions = {
  ...common(4),
  forwardRewardWeight: weight(1, "Weight of the speed."),
  ctrlCostWeight: weight(1e-3, "Weight of the effort."),
  healthyReward: weight(1, "What each step pays while it is healthy."),
  terminateWhenUnhealthy: size(true, "Whether the episode ends when it is not healthy."),
  resetNoiseScale: noise(5e-3),
  excludeCurrentPositionsFromObservation: excluded("x"),
};

/** What walking in a plane is: pay for speed and health, and positions and bounded velocities to see. */
export function walking(
  options: Required<OptionsOf<typeof walkingOptions>>,
  healthy: (now: Simulation) => boolean,
  joints: readonly string[],
) {
  const { forwardRewardWeight, ctrlCostWeight, healthyReward, terminateWhenUnhealthy } = options;
  const { resetNoiseScale, excludeCurrentPositionsFromObservation, frameSkip, xmlFile } = options;
  const hidden = excludeCurrentPositionsFromObservation ? 1 : 0;
  return {
    frameSkip,
    xmlFile,
    size: ({ nq, nv }) => nq + nv - hidden,
    labels: { observation: planarState("torso", joints, hidden), action: torques(joints) },
    begin: (now, random) => shake(now, random, resetNoiseScale, "uniform"),
    progress: ({ arrays: { qpos } }) => qpos[0],
    observe: ({ arrays: { qpos, qvel } }, out, at) =>
      void putClipped(out, put(out, at, qpos, hidden), qvel, -10, 10),
    reward: (now, speed) =>
      forwardRewardWeight * speed + (healthy(now) ? healthyReward : 0) - ctrlCostWeight * effort(now),
    ends: (now) => terminateWhenUnhealthy && !healthy(now),
  } satisfies Partial<MujocoTask>;
}
