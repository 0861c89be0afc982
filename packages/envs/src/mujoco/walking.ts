import { type OptionsOf, size } from "@reins/core";
import { planarState, torques } from "../body-labels.ts";
import type { Simulation } from "./simulation.ts";
import { common, effort, excluded, type MujocoTask, noise, put, putClipped, shake, weight } from "./task.ts";

/** Options of planar walkers, besides their healthy ranges. */
export const walkingOptions = {
  ...common(4),
  forwardRewardWeight: weight(1, "Weight of the forward reward."),
  ctrlCostWeight: weight(1e-3, "Weight of the control cost."),
  healthyReward: weight(1, "Reward per step while healthy."),
  terminateWhenUnhealthy: size(true, "Whether the episode ends when unhealthy."),
  resetNoiseScale: noise(5e-3),
  excludeCurrentPositionsFromObservation: excluded("x"),
};

/** A planar walking task: rewards for velocity and health, with positions and clipped velocities as observations. */
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
