import { planarState, torques } from "../body-labels.ts";
import { body, capsule, joint, mjcf, plane, tag } from "./mjcf.ts";
import {
  common,
  effort,
  excluded,
  type MujocoTask,
  noise,
  put,
  settled,
  shake,
  type TaskOptions,
  weight,
} from "./task.ts";

const id = "HalfCheetah-v5";

/** Options of {@link halfCheetah}. */
export const halfCheetahOptions = {
  ...common(5),
  forwardRewardWeight: weight(1, "Weight of the forward reward."),
  ctrlCostWeight: weight(0.1, "Weight of the control cost."),
  resetNoiseScale: noise(0.1),
  excludeCurrentPositionsFromObservation: excluded("x"),
};

const joints = ["hind", "fore"].flatMap((leg) => ["thigh", "shin", "foot"].map((part) => `${leg} ${part}`));

/** Run forward as fast as possible on a hind leg and a foreleg, in a plane. */
export function halfCheetah(options: TaskOptions<typeof halfCheetahOptions> = {}): MujocoTask {
  const {
    forwardRewardWeight,
    ctrlCostWeight,
    resetNoiseScale,
    excludeCurrentPositionsFromObservation,
    ...rest
  } = settled(id, halfCheetahOptions, options);
  const hidden = excludeCurrentPositionsFromObservation ? 1 : 0;
  return {
    ...rest,
    id,
    maxSteps: 1000,
    solvedAt: 4800,
    model,
    dimensions: { nq: 9, nv: 9, nbody: 8 },
    motors: { count: 6, strength: 1 },
    view: { from: "side", across: 4, middle: [0, 0.8], follows: true },
    size: ({ nq, nv }) => nq + nv - hidden,
    labels: { observation: planarState("torso", joints, hidden), action: torques(joints) },
    begin: (now, random) => shake(now, random, resetNoiseScale, "normal"),
    progress: ({ arrays: { qpos } }) => qpos[0],
    observe: ({ arrays: { qpos, qvel } }, out, at) => void put(out, put(out, at, qpos, hidden), qvel),
    reward: (now, speed) => forwardRewardWeight * speed - ctrlCostWeight * effort(now),
  };
}

/** A part of a leg. Joints are springs, with a damping of a fortieth of their stiffness. */
type Limb = readonly [
  name: string,
  /** Its position in the parent part. */
  at: readonly [x: number, z: number],
  range: readonly [least: number, most: number],
  stiffness: number,
  gear: number,
  stick: Stick,
];
/** Centre, half length and tilt of a capsule. */
type Stick = readonly [x: number, z: number, half: number, tilt: number];

const hind: readonly Limb[] = [
  ["bthigh", [-0.5, 0], [-0.52, 1.05], 240, 120, [0.1, -0.13, 0.145, -3.8]],
  ["bshin", [0.16, -0.25], [-0.785, 0.785], 180, 90, [-0.14, -0.07, 0.15, -2.03]],
  ["bfoot", [-0.28, -0.14], [-0.4, 0.785], 120, 60, [0.03, -0.097, 0.094, -0.27]],
];
const fore: readonly Limb[] = [
  ["fthigh", [0.5, 0], [-1, 0.7], 180, 120, [-0.07, -0.12, 0.133, 0.52]],
  ["fshin", [-0.14, -0.24], [-1.2, 0.87], 120, 60, [0.065, -0.09, 0.106, -0.6]],
  ["ffoot", [0.13, -0.18], [-0.5, 0.5], 60, 30, [0.045, -0.07, 0.07, -0.6]],
];

const stick = (name: string, [x, z, half, tilt]: Stick): string =>
  tag("geom", { name, type: "capsule", size: [0.046, half], pos: [x, 0, z], axisangle: [0, 1, 0, tilt] });

const leg = (limbs: readonly Limb[]): string =>
  limbs.reduceRight((below, [name, [x, z], range, stiffness, , form]) => {
    const turns = joint(name, "hinge", [0, 1, 0], { range, stiffness, damping: stiffness / 40 });
    return body(name, [x, 0, z], turns, stick(name, form), below);
  }, "");

const model = () => {
  const free = { armature: 0 };
  return mjcf({
    name: "half cheetah",
    // Geom masses are scaled to a total of 14 kg.
    compiler: { angle: "radian", settotalmass: 14 },
    option: { timestep: 0.01 },
    joint: { armature: 0.1, solimplimit: [0, 0.8, 0.03] },
    geom: { conaffinity: 0, friction: [0.4, 0.1, 0.1], solimp: [0, 0.8, 0.01] },
    world: [
      plane("floor", [40, 40, 40], { conaffinity: 1 }),
      body(
        "torso",
        [0, 0, 0.7],
        joint("rootx", "slide", [1, 0, 0], free),
        joint("rootz", "slide", [0, 0, 1], free),
        joint("rooty", "hinge", [0, 1, 0], free),
        capsule("torso", 0.046, [-0.5, 0, 0], [0.5, 0, 0]),
        stick("head", [0.6, 0.1, 0.15, 0.87]),
        leg(hind),
        leg(fore),
      ),
    ],
    motors: [...hind, ...fore].map(([name, , , , gear]) => [name, { name, gear }] as const),
  });
};
