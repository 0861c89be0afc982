import { add, cos, mul, sin, square, sub } from "@reins/tensor";
import type { Capsule } from "./body.ts";
import { effort } from "./legged-robots.ts";
import type { PlanarTask } from "./world.ts";

const pole: Capsule = { from: [0, 0], to: [0, 1], radius: 0.03 };
/** Position of the rail's end. */
const end = 2.4;

/** Swing a pole up and hold it by pushing its cart. Angle 0 is upright; the reward of each step is up to 1. */
export const cartPoleSwingUp: PlanarTask = {
  id: "CartPoleSwingUp-v0",
  body: {
    links: [
      {
        name: "cart",
        mass: 1,
        center: [0, 0],
        inertia: 0,
        slideX: { gear: 10, damping: 0.1, range: [-end, end] },
        shapes: [{ from: [-0.15, 0], to: [0.15, 0], radius: 0.08 }],
      },
      {
        name: "pole",
        parent: "cart",
        mass: 0.1,
        center: [0, 0.5],
        inertia: 0.1 / 12,
        hinge: { axis: -1, damping: 1e-4 },
        shapes: [pole],
      },
    ],
    softness: { stopStiffness: 2000, stopDamping: 50 },
  },
  gravity: 9.81,
  interval: 0.01,
  substeps: 2,
  maxSteps: 500,
  size: 5,
  labels: {
    observation: [
      ...["cart position", "cos pole angle", "sin pole angle"],
      ...["cart velocity", "pole angular velocity"],
    ],
    action: ["force on the cart"],
  },
  view: { across: 6.4, middle: [0, 0] },
  begin: ({ uniform }) => ({
    q: [uniform(1, -0.1, 0.1)[0], add(uniform(1, -0.1, 0.1)[0], Math.PI)],
    v: uniform(2, -0.05, 0.05),
    goal: [],
  }),
  observe: ({ q, v }) => [q[0], cos(q[1]), sin(q[1]), ...v],
  reward: (_, { q }, actions) =>
    sub(sub(mul(add(cos(q[1]), 1), 0.5), mul(square(q[0]), 0.05)), mul(effort(actions), 0.001)),
  scenery: (_, pixel) => [
    { kind: "line", points: [pixel(-end, 0), pixel(end, 0)], width: 2, color: "#8c959f" },
  ],
};
