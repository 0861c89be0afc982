import { leg, trunk } from "./legs.ts";
import { mjcf, plane } from "./mjcf.ts";
import type { Simulation } from "./simulation.ts";
import { bounds, type MujocoTask, rangeOf, settled, type TaskOptions } from "./task.ts";
import { walking, walkingOptions } from "./walking.ts";

const id = "Hopper-v5";

/** Options of {@link hopper}. */
export const hopperOptions = {
  ...walkingOptions,
  healthyStateRange: bounds("[-100, 100]", "Healthy range of all state components except x and z."),
  healthyZRange: bounds("[0.7, null]", "Healthy range of the trunk's height."),
  healthyAngleRange: bounds("[-0.2, 0.2]", "Healthy range of the trunk's angle."),
};

/** Hop forward on one leg. */
export function hopper(options: TaskOptions<typeof hopperOptions> = {}): MujocoTask {
  const { healthyStateRange, healthyZRange, healthyAngleRange, ...walk } = settled(
    id,
    hopperOptions,
    options,
  );
  const [least, most] = rangeOf(id, "healthyStateRange", healthyStateRange, [-100, 100]);
  const [low, high] = rangeOf(id, "healthyZRange", healthyZRange, [0.7, Number.POSITIVE_INFINITY]);
  const [back, front] = rangeOf(id, "healthyAngleRange", healthyAngleRange, [-0.2, 0.2]);
  const healthy = ({ arrays: { qpos, qvel } }: Simulation) => {
    for (let i = 2; i < qpos.length; i++) if (!(least < qpos[i] && qpos[i] < most)) return false;
    for (let i = 0; i < qvel.length; i++) if (!(least < qvel[i] && qvel[i] < most)) return false;
    return low < qpos[1] && qpos[1] < high && back < qpos[2] && qpos[2] < front;
  };
  return {
    ...walking(walk, healthy, ["thigh", "leg", "foot"]),
    id,
    maxSteps: 1000,
    solvedAt: 3800,
    model,
    dimensions: { nq: 6, nv: 6, nbody: 5 },
    motors: { count: 3, strength: 1 },
    view: { from: "side", across: 4, middle: [0, 0.9], follows: true },
  };
}

const model = () =>
  mjcf({
    name: "hopper",
    option: { timestep: 0.002, integrator: "RK4" },
    joint: { armature: 1, damping: 1 },
    geom: { condim: 1, margin: 0.001, solimp: [0.8, 0.8, 0.01] },
    motor: { gear: 200 },
    world: [
      plane("floor", [20, 20, 0.125], { condim: 3 }),
      trunk(0.9, leg({ suffix: "", ahead: 0.13, sole: [-0.26, 0.13], friction: 0.9, footFriction: 2 })),
    ],
    motors: [["thigh_joint"], ["leg_joint"], ["foot_joint"]],
  });
