import { size } from "@reins/core";
import { humanoidModel } from "./humanoid-body.ts";
import { humanoidLabels } from "./humanoid-labels.ts";
import type { Dimensions, Simulation } from "./simulation.ts";
import {
  bounds,
  common,
  effort,
  excluded,
  type MujocoTask,
  noise,
  put,
  rangeOf,
  settled,
  shake,
  squares,
  type TaskOptions,
  weight,
} from "./task.ts";

/** Optional humanoid observations, besides positions and velocities. */
export const observed = {
  excludeCurrentPositionsFromObservation: excluded("x and y"),
  includeCinertInObservation: size(true, "Whether masses and inertias of bodies are observed."),
  includeCvelInObservation: size(true, "Whether velocities of bodies are observed."),
  includeQfrcActuatorInObservation: size(true, "Whether motor forces are observed."),
  includeCfrcExtInObservation: size(true, "Whether contact forces are observed."),
};

/** Which of them are included. */
export type Observed = { readonly [K in keyof typeof observed]: boolean };

/** Common parts of the humanoid tasks. */
export const humanoidForm = (o: Observed & { readonly resetNoiseScale: number }) => {
  const hidden = o.excludeCurrentPositionsFromObservation ? 2 : 0;
  const has = (included: boolean, numbers: number) => (included ? numbers : 0);
  return {
    maxSteps: 1000,
    dimensions: { nq: 24, nv: 23, nbody: 14 },
    motors: { count: 17, strength: 0.4 },
    forces: true,
    size: ({ nq, nv, nbody }: Dimensions) =>
      nq +
      nv -
      hidden +
      has(o.includeCinertInObservation, 10 * (nbody - 1)) +
      has(o.includeCvelInObservation, 6 * (nbody - 1)) +
      has(o.includeQfrcActuatorInObservation, nv - 6) +
      has(o.includeCfrcExtInObservation, 6 * (nbody - 1)),
    labels: humanoidLabels(o, hidden),
    begin: (now, random) => shake(now, random, o.resetNoiseScale, "uniform"),
    observe({ arrays }: Simulation, out: Float32Array, at: number) {
      let next = put(out, put(out, at, arrays.qpos, hidden), arrays.qvel);
      // The first body is the world, the first six forces are those on the free joint.
      if (o.includeCinertInObservation) next = put(out, next, arrays.cinert, 10);
      if (o.includeCvelInObservation) next = put(out, next, arrays.cvel, 6);
      if (o.includeQfrcActuatorInObservation) next = put(out, next, arrays.qfrcActuator, 6);
      if (o.includeCfrcExtInObservation) put(out, next, arrays.cfrcExt, 6);
    },
  } satisfies Partial<MujocoTask>;
};

const id = "Humanoid-v5";

/** Options of {@link humanoid}. */
export const humanoidOptions = {
  ...common(5),
  forwardRewardWeight: weight(1.25, "Weight of the forward reward (velocity of the centre of mass)."),
  ctrlCostWeight: weight(0.1, "Weight of the control cost."),
  contactCostWeight: weight(5e-7, "Weight of the contact cost."),
  contactCostRange: bounds("[null, 10]", "Bounds of the contact cost."),
  healthyReward: weight(5, "Reward per step while healthy."),
  terminateWhenUnhealthy: size(true, "Whether the episode ends when unhealthy."),
  healthyZRange: bounds("[1, 2]", "Healthy range of the trunk's height."),
  resetNoiseScale: noise(1e-2),
  ...observed,
};

/** Walk forward on two legs without falling. */
export function humanoid(options: TaskOptions<typeof humanoidOptions> = {}): MujocoTask {
  const o = settled(id, humanoidOptions, options);
  const [low, high] = rangeOf(id, "healthyZRange", o.healthyZRange, [1, 2]);
  const [least, most] = rangeOf(id, "contactCostRange", o.contactCostRange, [Number.NEGATIVE_INFINITY, 10]);
  const healthy = ({ arrays: { qpos } }: Simulation) => low < qpos[2] && qpos[2] < high;
  return {
    ...humanoidForm(o),
    id,
    frameSkip: o.frameSkip,
    xmlFile: o.xmlFile,
    model: () => humanoidModel("standing"),
    view: { from: "side", across: 4, middle: [0, 0.9], follows: true },
    // The centre of mass.
    progress({ shares, arrays: { xipos } }) {
      let x = 0;
      for (let i = 0; i < shares.length; i++) x += shares[i] * xipos[3 * i];
      return x;
    },
    reward(now, speed) {
      const impact = o.contactCostWeight * squares(now.arrays.cfrcExt);
      return (
        o.forwardRewardWeight * speed +
        (healthy(now) ? o.healthyReward : 0) -
        o.ctrlCostWeight * effort(now) -
        Math.min(most, Math.max(least, impact))
      );
    },
    ends: (now) => o.terminateWhenUnhealthy && !healthy(now),
  };
}
