import { size } from "@reins/core";
import { leg, trunk } from "./legs.ts";
import { mjcf, plane } from "./mjcf.ts";
import type { Simulation } from "./simulation.ts";
import {
  bounds,
  common,
  effort,
  excluded,
  type MujocoTask,
  noise,
  put,
  putClipped,
  rangeOf,
  settled,
  shake,
  type TaskOptions,
  weight,
} from "./task.ts";

const id = "Walker2d-v5";

/** Options of {@link walker2d}. */
export const walker2dOptions = {
  ...common(4),
  forwardRewardWeight: weight(1, "Weight of the speed."),
  ctrlCostWeight: weight(1e-3, "Weight of the effort."),
  healthyReward: weight(1, "What each step pays while it is healthy."),
  terminateWhenUnhealthy: size(true, "Whether the episode ends when it is not healthy."),
  healthyZRange: bounds("[0.8, 2]", "How high the trunk is while it is healthy."),
  healthyAngleRange: bounds("[-1, 1]", "How the trunk leans while it is healthy."),
  resetNoiseScale: noise(5e-3),
  excludeCurrentPositionsFromObservation: excluded("x"),
};

/** Walk forward on two legs, in a plane. */
export function walker2d(options: TaskOptions<typeof walker2dOptions> = {}): MujocoTask {
  const {
    forwardRewardWeight,
    ctrlCostWeight,
    healthyReward,
    terminateWhenUnhealthy,
    healthyZRange,
    healthyAngleRange,
    resetNoiseScale,
    excludeCurrentPositionsFromObservation,
    ...rest
  } = settled(id, walker2dOptions, options);
  const hidden = excludeCurrentPositionsFromObservation ? 1 : 0;
  const [low, high] = rangeOf(id, "healthyZRange", healthyZRange, [0.8, 2]);
  const [back, front] = rangeOf(id, "healthyAngleRange", healthyAngleRange, [-1, 1]);
  const healthy = ({ arrays: { qpos } }: Simulation) =>
    low < qpos[1] && qpos[1] < high && back < qpos[2] && qpos[2] < front;
  return {
    ...rest,
    id,
    maxSteps: 1000,
    model,
    dimensions: { nq: 9, nv: 9, nbody: 8 },
    motors: { count: 6, strength: 1 },
    view: { from: "side", across: 4, middle: [0, 0.9], follows: true },
    size: ({ nq, nv }) => nq + nv - hidden,
    begin: (now, random) => shake(now, random, resetNoiseScale, "uniform"),
    progress: ({ arrays: { qpos } }) => qpos[0],
    observe: ({ arrays: { qpos, qvel } }, out, at) =>
      void putClipped(out, put(out, at, qpos, hidden), qvel, -10, 10),
    reward: (now, speed) =>
      forwardRewardWeight * speed + (healthy(now) ? healthyReward : 0) - ctrlCostWeight * effort(now),
    ends: (now) => terminateWhenUnhealthy && !healthy(now),
  };
}

const model = () => {
  const side = (suffix: string) =>
    leg({ suffix, ahead: 0.2, sole: [-0.2, 0], friction: 0.9, footFriction: 1.9 });
  return mjcf({
    name: "walker",
    option: { timestep: 0.002, integrator: "RK4" },
    joint: { armature: 0.01, damping: 0.1 },
    geom: { conaffinity: 0, friction: [0.7, 0.1, 0.1] },
    motor: { gear: 100 },
    world: [plane("floor", [40, 40, 40], { conaffinity: 1 }), trunk(0.9, side(""), side("_left"))],
    motors: ["", "_left"].flatMap((suffix) =>
      ["thigh", "leg", "foot"].map((part) => [`${part}${suffix}_joint`] as const),
    ),
  });
};
