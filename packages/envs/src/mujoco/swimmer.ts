import { torques } from "../body-labels.ts";
import { body, capsule, joint, mjcf, plane } from "./mjcf.ts";
import {
  common,
  effort,
  excluded,
  type MujocoTask,
  noise,
  put,
  settled,
  shake,
  type TaskOptions,
  weight,
} from "./task.ts";

const id = "Swimmer-v5";

/** Options of {@link swimmer}. */
export const swimmerOptions = {
  ...common(4),
  forwardRewardWeight: weight(1, "Weight of the forward reward."),
  ctrlCostWeight: weight(1e-4, "Weight of the control cost."),
  resetNoiseScale: noise(0.1),
  excludeCurrentPositionsFromObservation: excluded("x and y"),
};

/** Swim forward with three links in a viscous fluid. */
export function swimmer(options: TaskOptions<typeof swimmerOptions> = {}): MujocoTask {
  const {
    forwardRewardWeight,
    ctrlCostWeight,
    resetNoiseScale,
    excludeCurrentPositionsFromObservation,
    ...rest
  } = settled(id, swimmerOptions, options);
  const hidden = excludeCurrentPositionsFromObservation ? 2 : 0;
  return {
    ...rest,
    id,
    maxSteps: 1000,
    solvedAt: 360,
    model,
    dimensions: { nq: 5, nv: 5, nbody: 4 },
    motors: { count: 2, strength: 1 },
    view: { from: "top", across: 6, middle: [0, 0], follows: true },
    size: ({ nq, nv }) => nq + nv - hidden,
    labels: {
      observation: [
        ...["front x", "front y", "front angle", "first joint angle", "second joint angle"].slice(hidden),
        ...["front x velocity", "front y velocity", "front angular velocity"],
        ...["first joint velocity", "second joint velocity"],
      ],
      action: torques(["first joint", "second joint"]),
    },
    begin: (now, random) => shake(now, random, resetNoiseScale, "uniform"),
    progress: ({ arrays: { qpos } }) => qpos[0],
    observe: ({ arrays: { qpos, qvel } }, out, at) => void put(out, put(out, at, qpos, hidden), qvel),
    reward: (now, speed) => forwardRewardWeight * speed - ctrlCostWeight * effort(now),
  };
}

const model = () => {
  const bend = { range: [-100, 100] };
  return mjcf({
    name: "swimmer",
    option: { timestep: 0.01, integrator: "RK4", density: 4000, viscosity: 0.1 },
    joint: { armature: 0.1 },
    geom: { condim: 1, contype: 0, conaffinity: 0 },
    motor: { gear: 150 },
    world: [
      plane("floor", [40, 40, 0.1], { pos: [0, 0, -0.1], condim: 3 }),
      body(
        "torso",
        [0, 0, 0],
        joint("slider1", "slide", [1, 0, 0]),
        joint("slider2", "slide", [0, 1, 0]),
        joint("free_body_rot", "hinge", [0, 0, 1]),
        capsule(undefined, 0.1, [1.5, 0, 0], [0.5, 0, 0]),
        body(
          "mid",
          [0.5, 0, 0],
          joint("motor1_rot", "hinge", [0, 0, 1], bend),
          capsule(undefined, 0.1, [0, 0, 0], [-1, 0, 0]),
          body(
            "back",
            [-1, 0, 0],
            joint("motor2_rot", "hinge", [0, 0, 1], bend),
            capsule(undefined, 0.1, [0, 0, 0], [-1, 0, 0]),
          ),
        ),
      ),
    ],
    motors: [["motor1_rot"], ["motor2_rot"]],
  });
};
