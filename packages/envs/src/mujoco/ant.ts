import { size } from "@reins/core";
import { forceNumbers, perBody, spatialState, torques } from "../body-labels.ts";
import { body, capsule, joint, mjcf, plane, sphere, tag } from "./mjcf.ts";
import type { Simulation } from "./simulation.ts";
import {
  bounds,
  common,
  effort,
  excluded,
  type MujocoTask,
  noise,
  put,
  putClipped,
  rangeOf,
  settled,
  shake,
  type TaskOptions,
  weight,
} from "./task.ts";

const id = "Ant-v5";

/** Options of {@link ant}. */
export const antOptions = {
  ...common(5),
  forwardRewardWeight: weight(1, "Weight of the forward reward."),
  ctrlCostWeight: weight(0.5, "Weight of the control cost."),
  contactCostWeight: weight(5e-4, "Weight of the contact cost."),
  healthyReward: weight(1, "Reward per step while healthy."),
  mainBody: size(1, "Index of the body whose velocity is rewarded.", { within: "whole" }),
  terminateWhenUnhealthy: size(true, "Whether the episode ends when unhealthy."),
  healthyZRange: bounds("[0.2, 1]", "Healthy range of the trunk's height."),
  contactForceRange: bounds("[-1, 1]", "Clipping range of contact forces."),
  resetNoiseScale: noise(0.1),
  excludeCurrentPositionsFromObservation: excluded("x and y"),
  includeCfrcExtInObservation: size(true, "Whether contact forces are observed."),
};

const legNames = ["front left", "front right", "back left", "back right"];
const hinges = (names: readonly string[]) => names.flatMap((leg) => [`${leg} hip`, `${leg} ankle`]);
const bodies = ["torso", ...legNames.flatMap((leg) => [`${leg} socket`, `${leg} thigh`, `${leg} shin`])];

/** Run forward on four legs. */
export function ant(options: TaskOptions<typeof antOptions> = {}): MujocoTask {
  const o = settled(id, antOptions, options);
  const hidden = o.excludeCurrentPositionsFromObservation ? 2 : 0;
  const [low, high] = rangeOf(id, "healthyZRange", o.healthyZRange, [0.2, 1]);
  const [least, most] = rangeOf(id, "contactForceRange", o.contactForceRange, [-1, 1]);
  const healthy = ({ arrays: { qpos, qvel } }: Simulation) =>
    qpos.every(Number.isFinite) && qvel.every(Number.isFinite) && low <= qpos[2] && qpos[2] <= high;
  const impact = ({ arrays: { cfrcExt } }: Simulation) => {
    let sum = 0;
    for (let i = 0; i < cfrcExt.length; i++) {
      const force = Math.min(most, Math.max(least, cfrcExt[i]));
      sum += force * force;
    }
    return sum;
  };
  return {
    id,
    maxSteps: 1000,
    solvedAt: 6000,
    frameSkip: o.frameSkip,
    xmlFile: o.xmlFile,
    model,
    dimensions: { nq: 15, nv: 14, nbody: 14 },
    motors: { count: 8, strength: 1 },
    forces: true,
    view: { from: "top", across: 4, middle: [0, 0], follows: true },
    size: ({ nq, nv, nbody }) => nq + nv - hidden + (o.includeCfrcExtInObservation ? 6 * (nbody - 1) : 0),
    labels: {
      observation: [
        ...spatialState("torso", hinges(legNames), hidden),
        ...(o.includeCfrcExtInObservation ? perBody(bodies, forceNumbers) : []),
      ],
      // The last leg of the body has the first motors.
      action: torques(hinges([legNames[3], ...legNames.slice(0, 3)])),
    },
    begin: (now, random) => shake(now, random, o.resetNoiseScale, "normal"),
    progress: ({ arrays: { xpos } }) => xpos[3 * o.mainBody],
    observe({ arrays: { qpos, qvel, cfrcExt } }, out, at) {
      const next = put(out, put(out, at, qpos, hidden), qvel);
      // The first six are those of the world.
      if (o.includeCfrcExtInObservation) putClipped(out, next, cfrcExt, least, most, 6);
    },
    reward: (now, speed) =>
      o.forwardRewardWeight * speed +
      (healthy(now) ? o.healthyReward : 0) -
      o.ctrlCostWeight * effort(now) -
      o.contactCostWeight * impact(now),
    ends: (now) => o.terminateWhenUnhealthy && !healthy(now),
  };
}

/** Legs around the trunk: their names, directions, and the rotation of their ankles. */
const legs = [
  { names: ["front_left_leg", "left_leg", "left_ankle"], x: 1, y: 1, axis: [-1, 1, 0], range: [30, 70] },
  { names: ["front_right_leg", "right_leg", "right_ankle"], x: -1, y: 1, axis: [1, 1, 0], range: [-70, -30] },
  { names: ["back_leg", "back_leg", "third_ankle"], x: -1, y: -1, axis: [-1, 1, 0], range: [-70, -30] },
  {
    names: ["right_back_leg", "rightback_leg", "fourth_ankle"],
    x: 1,
    y: -1,
    axis: [1, 1, 0],
    range: [30, 70],
  },
] as const;

const model = () => {
  const leg = ({ names: [hip, shin, ankle], x, y, axis, range }: (typeof legs)[number], i: number) => {
    const way = (far: number) => [far * x, far * y, 0];
    const stick = (name: string, far: number) => capsule(`${name}_geom`, 0.08, [0, 0, 0], way(far));
    return body(
      hip,
      [0, 0, 0],
      stick(`aux_${i + 1}`, 0.2),
      body(
        `aux_${i + 1}`,
        way(0.2),
        joint(`hip_${i + 1}`, "hinge", [0, 0, 1], { range: [-30, 30] }),
        stick(shin, 0.2),
        body(undefined, way(0.2), joint(`ankle_${i + 1}`, "hinge", axis, { range }), stick(ankle, 0.4)),
      ),
    );
  };
  return mjcf({
    name: "ant",
    option: { timestep: 0.01, integrator: "RK4" },
    joint: { armature: 1, damping: 1 },
    geom: { conaffinity: 0, density: 5, friction: [1, 0.5, 0.5], margin: 0.01 },
    motor: { gear: 150 },
    world: [
      plane("floor", [40, 40, 40], { conaffinity: 1 }),
      body(
        "torso",
        [0, 0, 0.75],
        tag("joint", { name: "root", type: "free", armature: 0, damping: 0, margin: 0.01 }),
        sphere("torso_geom", 0.25, [0, 0, 0]),
        ...legs.map(leg),
      ),
    ],
    motors: [4, 1, 2, 3].flatMap((i) => [[`hip_${i}`], [`ankle_${i}`]] as const),
  });
};
