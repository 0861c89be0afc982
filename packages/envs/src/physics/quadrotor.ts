import { add, cos, gt, mul, sin, sub, type Tensor } from "@reins/tensor";
import { effort } from "./legged-robots.ts";
import { pointOf } from "./motion.ts";
import { plus, scaled, squared, times, type Vec } from "./num.ts";
import { fromDisc, goalShape } from "./table-top.ts";
import type { PlanarTask, WorldState } from "./world.ts";

const [mass, arm, gravity] = [0.5, 0.2, 9.81];

const distanceSquared = ({ q, goal }: WorldState): Tensor =>
  plus(squared(sub(goal[0], q[0])), squared(sub(goal[1], q[1]))) as Tensor;

/**
 * Fly to a point and hover there with two propellers, seen from the side. An action of 0 is the hover thrust, 1
 * twice as much. The reward of a step is up to 1: for being near and upright. The episode ends 3 m away from the
 * goal.
 */
export const planarQuadrotor: PlanarTask = {
  id: "PlanarQuadrotor-v0",
  body: {
    links: [
      {
        name: "craft",
        mass,
        center: [0, 0],
        inertia: mass * arm * arm * 0.5,
        slideX: { damping: 0.05 },
        slideZ: { damping: 0.05 },
        hinge: { damping: 0.002 },
        shapes: [
          { from: [-arm, 0], to: [arm, 0], radius: 0.02 },
          { from: [-arm, 0], to: [-arm, 0.06], radius: 0.015 },
          { from: [arm, 0], to: [arm, 0.06], radius: 0.015 },
        ],
      },
    ],
  },
  gravity,
  interval: 0.01,
  substeps: 2,
  maxSteps: 250,
  actions: 2,
  size: 7,
  labels: {
    observation: [
      ...["goal offset x", "goal offset z", "x velocity", "vertical velocity"],
      ...["cos tilt", "sin tilt", "angular velocity"],
    ],
    action: ["left thrust", "right thrust"],
  },
  view: { across: 6, middle: [0, 0] },
  begin: (draw) => ({
    q: [...fromDisc(draw, 1), draw.uniform(1, -0.3, 0.3)[0]],
    v: draw.uniform(3, -0.1, 0.1),
    goal: fromDisc(draw, 1),
  }),
  observe: ({ q, v, goal }) => [
    sub(goal[0], q[0]),
    sub(goal[1], q[1]),
    v[0],
    v[1],
    cos(q[2]),
    sin(q[2]),
    v[2],
  ],
  pushes: (motion, actions, { strength }) =>
    actions.map((action, i) => {
      const { s, c } = motion.turns[0];
      const thrust = times(mul(add(action, 1), (mass * gravity) / 2), strength);
      const up: Vec = { x: times(s, -1), z: c };
      return { link: 0, arm: pointOf(motion, 0, [i === 0 ? -arm : arm, 0]).arm, force: scaled(up, thrust) };
    }),
  reward(_, after, actions) {
    const near = add(distanceSquared(after), 1);
    const upright = mul(add(cos(after.q[2]), 1), 0.5);
    return sub(upright.div(near), mul(effort(actions), 0.02));
  },
  ends: (after) => gt(distanceSquared(after), 9),
  scenery: ([x, z], pixel, scale) => [goalShape(pixel(x, z), 0.06 * scale)],
};
