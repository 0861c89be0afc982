import { type Attributes, body, capsule, joint, mjcf, plane, tag } from "./mjcf.ts";
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
  forwardRewardWeight: weight(1, "Weight of the speed."),
  ctrlCostWeight: weight(0.1, "Weight of the effort."),
  resetNoiseScale: noise(0.1),
  excludeCurrentPositionsFromObservation: excluded("x"),
};

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
    begin: (now, random) => shake(now, random, resetNoiseScale, "normal"),
    progress: ({ arrays: { qpos } }) => qpos[0],
    observe: ({ arrays: { qpos, qvel } }, out, at) => void put(out, put(out, at, qpos, hidden), qvel),
    reward: (now, speed) => forwardRewardWeight * speed - ctrlCostWeight * effort(now),
  };
}

/** A part of a leg. */
interface Limb {
  readonly name: string;
  /** Where it hangs in the part above. */
  readonly at: readonly [x: number, z: number];
  readonly range: readonly number[];
  readonly stiffness: number;
  readonly damping: number;
  /** The middle of its stick, half its length, and how it is tilted. */
  readonly stick: readonly [x: number, z: number, half: number, tilt: number];
}

const hind: readonly Limb[] = [
  {
    name: "bthigh",
    at: [-0.5, 0],
    range: [-0.52, 1.05],
    stiffness: 240,
    damping: 6,
    stick: [0.1, -0.13, 0.145, -3.8],
  },
  {
    name: "bshin",
    at: [0.16, -0.25],
    range: [-0.785, 0.785],
    stiffness: 180,
    damping: 4.5,
    stick: [-0.14, -0.07, 0.15, -2.03],
  },
  {
    name: "bfoot",
    at: [-0.28, -0.14],
    range: [-0.4, 0.785],
    stiffness: 120,
    damping: 3,
    stick: [0.03, -0.097, 0.094, -0.27],
  },
];
const fore: readonly Limb[] = [
  {
    name: "fthigh",
    at: [0.5, 0],
    range: [-1, 0.7],
    stiffness: 180,
    damping: 4.5,
    stick: [-0.07, -0.12, 0.133, 0.52],
  },
  {
    name: "fshin",
    at: [-0.14, -0.24],
    range: [-1.2, 0.87],
    stiffness: 120,
    damping: 3,
    stick: [0.065, -0.09, 0.106, -0.6],
  },
  {
    name: "ffoot",
    at: [0.13, -0.18],
    range: [-0.5, 0.5],
    stiffness: 60,
    damping: 1.5,
    stick: [0.045, -0.07, 0.07, -0.6],
  },
];

const stick = (name: string, [x, z, half, tilt]: Limb["stick"]): string =>
  tag("geom", { name, type: "capsule", size: [0.046, half], pos: [x, 0, z], axisangle: [0, 1, 0, tilt] });

const leg = (limbs: readonly Limb[]): string =>
  limbs.reduceRight((below, { name, at: [x, z], range, stiffness, damping, stick: form }) => {
    const turns: Attributes = { range, stiffness, damping };
    return body(name, [x, 0, z], joint(name, "hinge", [0, 1, 0], turns), stick(name, form), below);
  }, "");

const model = () => {
  const free = { armature: 0 };
  return mjcf({
    name: "half cheetah",
    // What geoms weigh is scaled so that all of them together have 14 kg.
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
    motors: [120, 90, 60, 120, 60, 30].map((gear, i) => {
      const { name } = [...hind, ...fore][i];
      return [name, { name, gear }] as const;
    }),
  });
};
