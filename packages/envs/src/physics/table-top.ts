import type { Color, RenderShape } from "@reins/core";
import { add, cos, mul, neg, sin, sqrt, sub, type Tensor } from "@reins/tensor";
import { armAngles, torques } from "../body-labels.ts";
import type { Capsule } from "./body.ts";
import { capsuleInertia } from "./capsules.ts";
import { effort } from "./legged-robots.ts";
import { placeOf } from "./motion.ts";
import { apart, plus, root, squared, type Vec } from "./num.ts";
import type { Draw } from "./random-columns.ts";
import type { PlanarTask } from "./world.ts";

const red: Color = "#cf222e";

/** The norm of a vector; a small number under the root keeps the gradient finite at 0. */
export const lengthOf = ({ x, z }: Vec): Tensor => root(plus(squared(x), squared(z), 1e-8)) as Tensor;

/** A ring at the goal. */
export const goalShape = ([x, y]: readonly [number, number], radius: number): RenderShape => ({
  kind: "circle",
  center: [x, y],
  radius,
  color: red,
});

/** A uniform random point of a disc. */
export function fromDisc({ uniform }: Draw, radius: number): [Tensor, Tensor] {
  const [share, angle] = [uniform(1, 0, 1)[0], uniform(1, -Math.PI, Math.PI)[0]];
  const far = mul(sqrt(share), radius);
  return [mul(far, cos(angle)), mul(far, sin(angle))];
}

/** Bring a point to a goal on a table by two forces. */
export const pointMass: PlanarTask = {
  id: "PointMass-v0",
  body: {
    links: [
      {
        name: "point",
        mass: 1,
        center: [0, 0],
        inertia: 0,
        slideX: { gear: 2, damping: 1 },
        slideZ: { gear: 2, damping: 1 },
        shapes: [{ from: [0, 0], to: [0, 0], radius: 0.05 }],
      },
    ],
  },
  gravity: 0,
  interval: 0.05,
  substeps: 1,
  maxSteps: 100,
  size: 6,
  labels: {
    observation: ["x", "y", "x velocity", "y velocity", "goal offset x", "goal offset y"],
    action: ["force x", "force y"],
  },
  view: { across: 4, middle: [0, 0] },
  begin: (draw) => ({ q: fromDisc(draw, 1), v: draw.uniform(2, -0.01, 0.01), goal: fromDisc(draw, 1) }),
  observe: ({ q, v, goal }) => [...q, ...v, ...goal.map((to, i) => sub(to, q[i]))],
  reward: (_, { q, goal }, actions) =>
    neg(add(lengthOf({ x: sub(goal[0], q[0]), z: sub(goal[1], q[1]) }), mul(effort(actions), 0.05))),
  scenery: ([x, z], pixel, scale) => [goalShape(pixel(x, z), 0.04 * scale)],
};

const density = 1000;
const upper: Capsule = { from: [0, 0], to: [0.1, 0], radius: 0.01 };
const tip: Capsule = { from: [0.11, 0], to: [0.11, 0], radius: 0.01 };
const motor = { armature: 1, damping: 1, gear: 200 };

/** Reach a target with the tip of a two-link arm: arm, observation and reward of Reacher-v5. */
export const planarReacher: PlanarTask = {
  id: "PlanarReacher-v0",
  body: {
    links: [
      { name: "arm", ...capsuleInertia([upper], density), hinge: motor, shapes: [upper] },
      {
        name: "forearm",
        parent: "arm",
        at: [0.1, 0],
        ...capsuleInertia([upper, tip], density),
        hinge: { ...motor, range: [-3, 3] },
        shapes: [upper, tip],
      },
    ],
  },
  gravity: 0,
  interval: 0.01,
  substeps: 2,
  maxSteps: 50,
  size: 10,
  labels: {
    observation: [
      ...armAngles(["shoulder", "elbow"]),
      ...["target x", "target y", "shoulder velocity", "elbow velocity"],
      ...["tip to target x", "tip to target y"],
    ],
    action: torques(["shoulder", "elbow"]),
  },
  view: { across: 0.8, middle: [0, 0] },
  begin: (draw) => ({
    q: draw.uniform(2, -0.1, 0.1),
    v: draw.uniform(2, -0.005, 0.005),
    goal: fromDisc(draw, 0.2),
  }),
  observe({ q, v, goal }, motion) {
    const off = apart(placeOf(motion, 1, tip.to), { x: goal[0], z: goal[1] });
    return [...q.map(cos), ...q.map(sin), ...goal, ...v, off.x as Tensor, off.z as Tensor];
  },
  reward: (_, { goal }, actions, motion) =>
    neg(add(lengthOf(apart(placeOf(motion, 1, tip.to), { x: goal[0], z: goal[1] })), effort(actions))),
  scenery: ([x, z], pixel, scale) => [goalShape(pixel(x, z), 0.009 * scale)],
};
