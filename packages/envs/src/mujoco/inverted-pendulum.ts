import { body, capsule, joint, mjcf, tag } from "./mjcf.ts";
import { common, type MujocoTask, noise, put, settled, shake, type TaskOptions } from "./task.ts";

const id = "InvertedPendulum-v5";

/** Options of {@link invertedPendulum}. */
export const invertedPendulumOptions = { ...common(2), resetNoiseScale: noise(0.01) };

/** Balance a pole on a cart that is pushed along a rail. */
export function invertedPendulum(options: TaskOptions<typeof invertedPendulumOptions> = {}): MujocoTask {
  const { resetNoiseScale, ...rest } = settled(id, invertedPendulumOptions, options);
  return {
    ...rest,
    id,
    maxSteps: 1000,
    solvedAt: 950,
    model,
    dimensions: { nq: 2, nv: 2, nbody: 3 },
    readsAll: true,
    motors: { count: 1, strength: 3 },
    view: { from: "side", across: 2.8, middle: [0, 0.3] },
    size: ({ nq, nv }) => nq + nv,
    labels: {
      observation: ["cart position", "pole angle", "cart velocity", "pole angular velocity"],
      action: ["force on the cart"],
    },
    begin: (now, random) => shake(now, random, resetNoiseScale, "uniform"),
    observe: ({ arrays: { qpos, qvel } }, out, at) => void put(out, put(out, at, qpos), qvel),
    reward: ({ arrays: { qpos, qvel } }) => (fallen(qpos, qvel) ? 0 : 1),
    ends: ({ arrays: { qpos, qvel } }) => fallen(qpos, qvel),
  };
}

function fallen(qpos: Float64Array, qvel: Float64Array): boolean {
  const finite = qpos.every(Number.isFinite) && qvel.every(Number.isFinite);
  return !finite || Math.abs(qpos[1]) > 0.2;
}

const model = () =>
  mjcf({
    name: "inverted pendulum",
    option: { timestep: 0.02, integrator: "RK4" },
    joint: { damping: 1 },
    geom: { contype: 0, friction: [1, 0.1, 0.1] },
    motor: { ctrlrange: [-3, 3], gear: 100 },
    world: [
      rail,
      body(
        "cart",
        [0, 0, 0],
        joint("slider", "slide", [1, 0, 0], { range: [-1, 1] }),
        cart,
        body(
          "pole",
          [0, 0, 0],
          joint("hinge", "hinge", [0, 1, 0], { range: [-90, 90] }),
          capsule("cpole", 0.049, [0, 0, 0], [0.001, 0, 0.6]),
        ),
      ),
    ],
    motors: [["slider", { name: "slide" }]],
  });

/** The rail and the cart: capsules along x. */
export const rail = tag("geom", { name: "rail", type: "capsule", size: [0.02, 1], zaxis: [1, 0, 0] });
export const cart = tag("geom", { name: "cart", type: "capsule", size: [0.1, 0.1], zaxis: [1, 0, 0] });
