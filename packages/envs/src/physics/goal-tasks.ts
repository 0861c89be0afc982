import { add, cos, mul, sin, sqrt, type Tensor } from "@reins/tensor";
import { armAngles, torques } from "../body-labels.ts";
import { armLinks, tip } from "./arm.ts";
import type { GoalTask } from "./goal-world.ts";
import { placeOf } from "./motion.ts";
import { armState, disc, planarPusher, pushes, reach } from "./pusher.ts";
import type { Draw } from "./random-columns.ts";
import { goalShape } from "./table-top.ts";

/** From a place, uniformly over the ring between two distances from it. */
function around(
  { uniform }: Draw,
  [x, z]: readonly [Tensor | number, Tensor | number],
  near: number,
  far: number,
) {
  const [share, angle] = [uniform(1, near ** 2, far ** 2)[0], uniform(1, -Math.PI, Math.PI)[0]];
  const distance = sqrt(share);
  return [add(mul(distance, cos(angle)), x), add(mul(distance, sin(angle)), z)];
}

/** Bring the tip of an arm to a random point in its reach, and hold it there. */
export const goalReach: GoalTask = {
  id: "GoalReach-v0",
  body: { links: armLinks(20) },
  gravity: 0,
  interval: 0.01,
  substeps: 4,
  maxSteps: 50,
  size: 6,
  labels: {
    observation: [...armAngles(["shoulder", "elbow"]), "shoulder velocity", "elbow velocity"],
    action: torques(["shoulder", "elbow"]),
  },
  goalSize: 2,
  tolerance: 0.05,
  view: { across: 3.2, middle: [0, 0] },
  begin: (draw) => ({
    q: [...draw.uniform(1, -0.5, 0.5), ...draw.uniform(1, 1, 2)],
    v: draw.uniform(2, -0.01, 0.01),
    goal: around(draw, [0, 0], 0.3, 0.95),
  }),
  observe: ({ q, v }) => [...q.map(cos), ...q.map(sin), ...v],
  achieved(_, motion) {
    const { x, z } = placeOf(motion, 1, tip.to);
    return [x as Tensor, z as Tensor];
  },
  scenery: ([x, z], pixel, scale) => [goalShape(pixel(x, z), 0.05 * scale)],
};

/** Push a disc to a nearby point with the tip of an arm, in the world of PlanarPusher-v0. */
export const goalPush: GoalTask = {
  ...planarPusher,
  id: "GoalPush-v0",
  // Weak motors and a rough table: a disc that is hit hard slides past every goal.
  body: { links: [...armLinks(5), disc] },
  maxSteps: 50,
  size: 10,
  labels: { observation: armState, action: planarPusher.labels.action },
  goalSize: 2,
  tolerance: 0.08,
  begin(draw) {
    // The tip starts next to the disc, so that random actions move it occasionally.
    const [shoulder, elbow] = [draw.uniform(1, -1.5, -0.5)[0], draw.uniform(1, 1.6, 2.1)[0]];
    const turn = add(shoulder, elbow);
    const hand = [add(cos(shoulder), cos(turn)), add(sin(shoulder), sin(turn))].map((far) => mul(far, 0.5));
    const [x, z] = around(draw, [hand[0], hand[1]], 0.2, 0.25);
    return {
      q: [shoulder, elbow, x, z],
      v: [...draw.uniform(2, -0.01, 0.01), mul(x, 0), mul(z, 0)],
      goal: around(draw, [x, z], 0.1, 0.2),
    };
  },
  observe({ q, v }, motion) {
    const arm = q.slice(0, 2);
    const { x, z } = reach(motion);
    return [...arm.map(cos), ...arm.map(sin), ...v, x as Tensor, z as Tensor];
  },
  achieved: ({ q }) => q.slice(2),
  pushes: (motion, _, { friction }) => pushes(motion, mul(friction, 3)),
  scenery: ([x, z], pixel, scale) => [goalShape(pixel(x, z), 0.08 * scale)],
};
