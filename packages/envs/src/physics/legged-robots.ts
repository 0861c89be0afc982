import { add, and, cast, clamp, div, gt, lt, mul, not, sub, type Tensor } from "@reins/tensor";
import { planarState, torques } from "../body-labels.ts";
import type { PlanarBody } from "./body.ts";
import { hopperBody, walkerBody } from "./legged-body.ts";
import { plus, squared } from "./num.ts";
import type { PlanarTask, WorldState } from "./world.ts";

const [interval, substeps] = [0.004, 2];
/** Initial position of the trunk. */
const standing = 1.25;

/** Labels of a body that runs along x, whose own x is not observed. */
export function labelsOf({ links }: PlanarBody, trunk: string) {
  const joints = links.map(({ name }) => name).filter((name) => name !== trunk);
  return { observation: planarState(trunk, joints, 1), action: torques(joints) };
}

/** Control cost: the sum of squares of the motor commands. */
export const effort = (actions: readonly Tensor[]): Tensor => plus(...actions.map(squared)) as Tensor;

/** Velocity of a body along x. */
export const forward = (before: WorldState, after: WorldState, seconds: number): Tensor =>
  div(sub(after.q[0], before.q[0]), seconds);

type Walking = Pick<
  PlanarTask,
  "gravity" | "interval" | "substeps" | "maxSteps" | "view" | "begin" | "observe" | "reward" | "ends"
>;

/**
 * A walking task: rewards for velocity and health, minus a control cost; it ends when unhealthy. As in Gymnasium's
 * v5.
 */
function walking(coordinates: number, healthy: (state: WorldState) => Tensor): Walking {
  return {
    gravity: 9.81,
    interval,
    substeps,
    maxSteps: 1000,
    view: { across: 4, middle: [0, 0.9], follows: true, ground: true },
    begin({ uniform }) {
      const q = uniform(coordinates, -0.005, 0.005);
      return {
        q: q.map((one, i) => (i === 1 ? add(one, standing) : one)),
        v: uniform(coordinates, -0.005, 0.005),
        goal: [],
      };
    },
    observe: ({ q, v }) => [...q.slice(1), ...v.map((speed) => clamp(speed, -10, 10))],
    reward: (before, after, actions) =>
      add(
        sub(forward(before, after, interval * substeps), mul(effort(actions), 1e-3)),
        cast(healthy(after), "f32"),
      ),
    ends: (after) => not(healthy(after)),
  };
}

const within = (x: Tensor, low: number, high: number): Tensor => and(gt(x, low), lt(x, high));

/** Hop forward on one leg. */
export const planarHopper: PlanarTask = {
  ...walking(6, ({ q, v }) => {
    const bounded = [...q.slice(2), ...v].map((x) => within(x, -100, 100));
    return [within(q[2], -0.2, 0.2), ...bounded].reduce(and, gt(q[1], 0.7));
  }),
  id: "PlanarHopper-v0",
  body: hopperBody,
  size: 11,
  labels: labelsOf(hopperBody, "trunk"),
};

/** Walk forward on two legs. */
export const planarWalker: PlanarTask = {
  ...walking(9, ({ q }) => and(within(q[1], 0.8, 2), within(q[2], -1, 1))),
  id: "PlanarWalker-v0",
  body: walkerBody,
  size: 17,
  labels: labelsOf(walkerBody, "trunk"),
};
