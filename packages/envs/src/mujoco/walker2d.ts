import { leg, trunk } from "./legs.ts";
import { mjcf, plane } from "./mjcf.ts";
import type { Simulation } from "./simulation.ts";
import { bounds, type MujocoTask, rangeOf, settled, type TaskOptions } from "./task.ts";
import { walking, walkingOptions } from "./walking.ts";

const id = "Walker2d-v5";

/** Options of {@link walker2d}. */
export const walker2dOptions = {
  ...walkingOptions,
  healthyZRange: bounds("[0.8, 2]", "Healthy range of the trunk's height."),
  healthyAngleRange: bounds("[-1, 1]", "Healthy range of the trunk's angle."),
};

const joints = ["right", "left"].flatMap((side) => ["thigh", "leg", "foot"].map((part) => `${side} ${part}`));

/** Walk forward on two legs, in a plane. */
export function walker2d(options: TaskOptions<typeof walker2dOptions> = {}): MujocoTask {
  const { healthyZRange, healthyAngleRange, ...walk } = settled(id, walker2dOptions, options);
  const [low, high] = rangeOf(id, "healthyZRange", healthyZRange, [0.8, 2]);
  const [back, front] = rangeOf(id, "healthyAngleRange", healthyAngleRange, [-1, 1]);
  const healthy = ({ arrays: { qpos } }: Simulation) =>
    low < qpos[1] && qpos[1] < high && back < qpos[2] && qpos[2] < front;
  return {
    ...walking(walk, healthy, joints),
    id,
    maxSteps: 1000,
    model,
    dimensions: { nq: 9, nv: 9, nbody: 8 },
    motors: { count: 6, strength: 1 },
    view: { from: "side", across: 4, middle: [0, 0.9], follows: true },
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
