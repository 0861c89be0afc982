import { real } from "@reins/tensor";
import { cart, rail } from "./inverted-pendulum.ts";
import { body, capsule, joint, mjcf, plane, tag } from "./mjcf.ts";
import type { Simulation } from "./simulation.ts";
import {
  common,
  type MujocoTask,
  noise,
  putClipped,
  settled,
  shake,
  type TaskOptions,
  weight,
} from "./task.ts";

const id = "InvertedDoublePendulum-v5";

/** Options of {@link invertedDoublePendulum}. */
export const invertedDoublePendulumOptions = {
  ...common(5),
  healthyReward: weight(10, "Reward per step while the tip is high enough."),
  resetNoiseScale: noise(0.1),
};

/** Balance two poles, one on the other, on a cart that is pushed along a rail. */
export function invertedDoublePendulum(
  options: TaskOptions<typeof invertedDoublePendulumOptions> = {},
): MujocoTask {
  const { healthyReward, resetNoiseScale, ...rest } = settled(id, invertedDoublePendulumOptions, options);
  return {
    ...rest,
    id,
    maxSteps: 1000,
    solvedAt: 9100,
    model,
    dimensions: { nq: 3, nv: 3, nbody: 4 },
    readsAll: true,
    motors: { count: 1, strength: 1 },
    view: { from: "side", across: 4, middle: [0, 0.3] },
    size: () => 9,
    labels: {
      observation: [
        ...["cart position", "sin lower pole angle", "sin upper pole angle"],
        ...["cos lower pole angle", "cos upper pole angle"],
        ...["cart velocity", "lower pole angular velocity", "upper pole angular velocity"],
        "constraint force on the cart",
      ],
      action: ["force on the cart"],
    },
    begin: (now, random) => shake(now, random, resetNoiseScale, "normal"),
    observe,
    reward(now) {
      const { siteXpos, qvel } = now.arrays;
      const x = siteXpos[0];
      const short = siteXpos[2] - 2;
      const distance = 0.01 * x * x + short * short;
      const speed = 1e-3 * qvel[1] * qvel[1] + 5e-3 * qvel[2] * qvel[2];
      return (low(now) ? 0 : healthyReward) - distance - speed;
    },
    ends: low,
  };
}

const low = ({ arrays: { siteXpos } }: Simulation) => siteXpos[2] <= 1;

function observe(
  { arrays: { qpos, qvel, qfrcConstraint } }: Simulation,
  out: Float32Array,
  at: number,
): void {
  out[at] = qpos[0];
  out[at + 1] = real.sin(qpos[1]);
  out[at + 2] = real.sin(qpos[2]);
  out[at + 3] = real.cos(qpos[1]);
  out[at + 4] = real.cos(qpos[2]);
  putClipped(out, at + 5, qvel, -10, 10);
  out[at + 8] = Math.min(10, Math.max(-10, qfrcConstraint[0]));
}

const model = () =>
  mjcf({
    name: "inverted double pendulum",
    option: { timestep: 0.01, integrator: "RK4", gravity: [1e-5, 0, -9.81] },
    joint: { damping: 0.05 },
    geom: { contype: 0, friction: [1, 0.1, 0.1] },
    motor: { gear: 500 },
    world: [
      plane("floor", [40, 40, 40], { pos: [0, 0, -3] }),
      rail,
      body(
        "cart",
        [0, 0, 0],
        joint("slider", "slide", [1, 0, 0], { range: [-1, 1], margin: 0.01 }),
        cart,
        body(
          "pole",
          [0, 0, 0],
          joint("hinge", "hinge", [0, 1, 0]),
          capsule("cpole", 0.045, [0, 0, 0], [0, 0, 0.6]),
          body(
            "pole2",
            [0, 0, 0.6],
            joint("hinge2", "hinge", [0, 1, 0]),
            capsule("cpole2", 0.045, [0, 0, 0], [0, 0, 0.6]),
            tag("site", { name: "tip", pos: [0, 0, 0.6] }),
          ),
        ),
      ),
    ],
    motors: [["slider", { name: "slide" }]],
  });
