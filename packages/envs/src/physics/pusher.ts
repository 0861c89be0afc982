import { add, cos, mul, neg, sin, sub, type Tensor } from "@reins/tensor";
import { armAngles, torques } from "../body-labels.ts";
import { armLinks, tip } from "./arm.ts";
import type { Link } from "./body.ts";
import { grip, positive } from "./contact.ts";
import type { Push } from "./dynamics.ts";
import { effort } from "./legged-robots.ts";
import { type Motion, placeOf, pointOf } from "./motion.ts";
import { apart, minus, type Num, over, plus, root, scaled, squared, times, type Vec } from "./num.ts";
import { goalShape, lengthOf } from "./table-top.ts";
import type { PlanarTask } from "./world.ts";

const [discMass, discRadius] = [0.5, 0.12];
const [stiffness, damping] = [3000, 30];
const interval = 0.005;

/** The pushed disc. */
export const disc: Link = {
  name: "disc",
  mass: discMass,
  center: [0, 0],
  inertia: 0,
  slideX: {},
  slideZ: {},
  shapes: [{ from: [0, 0], to: [0, 0], radius: discRadius }],
};

/** Contact between tip and disc, and the table's friction under the disc. */
export function pushes(motion: Motion, friction: Num): Push[] {
  const hand = pointOf(motion, 1, tip.to);
  const speed = motion.speeds[2];
  const from = apart(placeOf(motion, 2, [0, 0]), placeOf(motion, 1, tip.to));
  const far = lengthOf(from);
  const normal = scaled(from, over(1, far));
  const closing = apart(hand.speed, speed);
  const approach = plus(times(closing.x, normal.x), times(closing.z, normal.z));
  const { holds, deep } = grip(minus(discRadius + tip.radius, far), 0.002);
  const force = scaled(
    normal,
    positive(plus(times(deep, stiffness), times(times(holds, damping), approach))),
  );
  const rub = over(
    times(friction, 0.3 * discMass * 9.81),
    root(plus(squared(speed.x), squared(speed.z), 0.02 ** 2)),
  );
  const slow = times(rub, interval);
  return [
    { link: 2, arm: { x: 0, z: 0 }, force },
    { link: 1, arm: hand.arm, force: scaled(force, -1) },
    { link: 2, arm: { x: 0, z: 0 }, force: scaled(speed, times(rub, -1)), resist: { x: slow, z: slow } },
  ];
}

/** Position of the disc relative to the tip of the arm. */
export const reach = (motion: Motion): Vec => apart(placeOf(motion, 2, [0, 0]), placeOf(motion, 1, tip.to));

/** Labels of the arm, the disc's velocity and the vector from the tip to the disc. */
export const armState: readonly string[] = [
  ...armAngles(["shoulder", "elbow"]),
  ...["shoulder velocity", "elbow velocity", "disc x velocity", "disc y velocity"],
  ...["tip to disc x", "tip to disc y"],
];

/** Push a disc over a table to a goal with the tip of an arm; the rest of the arm is above it. */
export const planarPusher: PlanarTask = {
  id: "PlanarPusher-v0",
  body: {
    links: [...armLinks(20), disc],
  },
  gravity: 0,
  interval,
  substeps: 8,
  maxSteps: 150,
  size: 12,
  labels: {
    observation: [...armState, "goal offset x", "goal offset y"],
    action: torques(["shoulder", "elbow"]),
  },
  view: { across: 3.2, middle: [0, 0] },
  begin(draw) {
    // The arm starts folded back, the disc in front of it, and the goal beyond the disc.
    const [x, z] = [draw.uniform(1, 0.4, 0.6)[0], draw.uniform(1, -0.3, 0.3)[0]];
    return {
      q: [add(draw.uniform(1, -0.1, 0.1)[0], 1.6), add(draw.uniform(1, -0.1, 0.1)[0], 1), x, z],
      v: [...draw.uniform(2, -0.01, 0.01), mul(x, 0), mul(z, 0)],
      goal: [draw.uniform(1, 0.3, 0.8)[0], draw.uniform(1, -0.6, 0.4)[0]],
    };
  },
  observe({ q, v, goal }, motion) {
    const { x, z } = reach(motion);
    const arm = q.slice(0, 2);
    return [
      ...arm.map(cos),
      ...arm.map(sin),
      ...v,
      x as Tensor,
      z as Tensor,
      sub(goal[0], q[2]),
      sub(goal[1], q[3]),
    ];
  },
  pushes: (motion, _, { friction }) => pushes(motion, friction),
  reward(_, { q, goal }, actions, motion) {
    const left = lengthOf({ x: sub(goal[0], q[2]), z: sub(goal[1], q[3]) });
    return neg(add(add(left, mul(lengthOf(reach(motion)), 0.2)), mul(effort(actions), 0.02)));
  },
  scenery: ([x, z], pixel, scale) => [goalShape(pixel(x, z), 0.05 * scale)],
};
