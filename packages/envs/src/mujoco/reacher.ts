import { real } from "@reins/tensor";
import { armAngles, torques } from "../body-labels.ts";
import { body, capsule, joint, mjcf, plane, sphere, tag } from "./mjcf.ts";
import type { Simulation } from "./simulation.ts";
import {
  common,
  distance,
  effort,
  type MujocoTask,
  settled,
  squares,
  type TaskOptions,
  weight,
} from "./task.ts";

const id = "Reacher-v5";

/** Options of {@link reacher}. */
export const reacherOptions = {
  ...common(2),
  rewardDistWeight: weight(1, "Weight of the distance to the target."),
  rewardControlWeight: weight(1, "Weight of the control cost."),
};

/** Body indices. */
const [fingertip, target] = [3, 4];

/** Reach a target with the tip of a two-link arm. */
export function reacher(options: TaskOptions<typeof reacherOptions> = {}): MujocoTask {
  const { rewardDistWeight, rewardControlWeight, ...rest } = settled(id, reacherOptions, options);
  return {
    ...rest,
    id,
    maxSteps: 50,
    solvedAt: -3.75,
    model,
    dimensions: { nq: 4, nv: 4, nbody: 5 },
    readsAll: true,
    motors: { count: 2, strength: 1 },
    view: { from: "top", across: 1.2, middle: [0, 0] },
    size: () => 10,
    labels: {
      observation: [
        ...armAngles(["shoulder", "elbow"]),
        ...["target x", "target y", "shoulder velocity", "elbow velocity"],
        ...["tip to target x", "tip to target y"],
      ],
      action: torques(["shoulder", "elbow"]),
    },
    begin(now, random) {
      const { qpos, qvel } = now.arrays;
      for (let i = 0; i < qpos.length; i++) qpos[i] = random.uniform(-0.1, 0.1) + now.start[i];
      const goal = qpos.subarray(-2);
      do for (let i = 0; i < 2; i++) goal[i] = random.uniform(-0.2, 0.2);
      while (Math.sqrt(squares(goal)) >= 0.2);
      for (let i = 0; i < qvel.length; i++) qvel[i] = random.uniform(-0.005, 0.005);
      qvel.fill(0, -2);
    },
    observe,
    reward: (now) => -distance(now, fingertip, target) * rewardDistWeight - effort(now) * rewardControlWeight,
  };
}

function observe({ arrays: { qpos, qvel, xpos } }: Simulation, out: Float32Array, at: number): void {
  for (let i = 0; i < 2; i++) {
    out[at + i] = real.cos(qpos[i]);
    out[at + 2 + i] = real.sin(qpos[i]);
    out[at + 4 + i] = qpos[2 + i];
    out[at + 6 + i] = qvel[i];
    out[at + 8 + i] = xpos[3 * fingertip + i] - xpos[3 * target + i];
  }
}

const model = () => {
  const seen = { conaffinity: 0 };
  const side = (name: string, from: readonly number[], to: readonly number[]) =>
    capsule(name, 0.02, [...from, 0.01], [...to, 0.01], seen);
  const free = { damping: 0, armature: 0, range: [-0.27, 0.27] };
  return mjcf({
    name: "reacher",
    compiler: { angle: "radian" },
    option: { timestep: 0.01, integrator: "RK4" },
    joint: { armature: 1, damping: 1 },
    geom: { contype: 0, friction: [1, 0.1, 0.1] },
    motor: { gear: 200 },
    world: [
      plane("ground", [1, 1, 10], seen),
      side("sideS", [-0.3, -0.3], [0.3, -0.3]),
      side("sideE", [0.3, -0.3], [0.3, 0.3]),
      side("sideN", [-0.3, 0.3], [0.3, 0.3]),
      side("sideW", [-0.3, -0.3], [-0.3, 0.3]),
      tag("geom", { name: "root", type: "cylinder", size: 0.011, fromto: [0, 0, 0, 0, 0, 0.02], ...seen }),
      body(
        "body0",
        [0, 0, 0.01],
        joint("joint0", "hinge", [0, 0, 1]),
        capsule("link0", 0.01, [0, 0, 0], [0.1, 0, 0]),
        body(
          "body1",
          [0.1, 0, 0],
          joint("joint1", "hinge", [0, 0, 1], { range: [-3, 3] }),
          capsule("link1", 0.01, [0, 0, 0], [0.1, 0, 0]),
          body("fingertip", [0.11, 0, 0], sphere("fingertip", 0.01, [0, 0, 0])),
        ),
      ),
      body(
        "target",
        [0.1, -0.1, 0.01],
        joint("target_x", "slide", [1, 0, 0], { ...free, ref: 0.1 }),
        joint("target_y", "slide", [0, 1, 0], { ...free, ref: -0.1 }),
        sphere("target", 0.009, [0, 0, 0], seen),
      ),
    ],
    motors: [["joint0"], ["joint1"]],
  });
};
