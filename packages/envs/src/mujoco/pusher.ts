import { axes, perBody, torques } from "../body-labels.ts";
import { body, capsule, joint, mjcf, plane, sphere, tag } from "./mjcf.ts";
import type { Simulation } from "./simulation.ts";
import {
  common,
  distance,
  effort,
  type MujocoTask,
  settled,
  squares,
  type TaskOptions,
  weight,
} from "./task.ts";

const id = "Pusher-v5";

/** Options of {@link pusher}. */
export const pusherOptions = {
  ...common(5),
  rewardNearWeight: weight(0.5, "Weight of the distance between hand and object."),
  rewardDistWeight: weight(1, "Weight of the distance between object and goal."),
  rewardControlWeight: weight(0.1, "Weight of the control cost."),
};

/** Body indices, and joints of the arm. */
const [hand, object, goal] = [10, 11, 12];
const joints = 7;

/** Push an object over a table to a goal, with an arm of seven joints. */
export function pusher(options: TaskOptions<typeof pusherOptions> = {}): MujocoTask {
  const { rewardNearWeight, rewardDistWeight, rewardControlWeight, ...rest } = settled(
    id,
    pusherOptions,
    options,
  );
  return {
    ...rest,
    id,
    maxSteps: 100,
    solvedAt: 0,
    model,
    dimensions: { nq: 11, nv: 11, nbody: 13 },
    readsAll: true,
    motors: { count: 7, strength: 2 },
    view: { from: "top", across: 3, middle: [0.3, -0.1] },
    size: () => 2 * joints + 9,
    labels: {
      observation: [
        ...jointNames.map((name) => `${name} angle`),
        ...jointNames.map((name) => `${name} velocity`),
        ...perBody(["hand", "object", "goal"], axes),
      ],
      action: torques(jointNames),
    },
    begin(now, random) {
      const { qpos, qvel } = now.arrays;
      qpos.set(now.start);
      const place = qpos.subarray(-4, -2);
      do {
        place[0] = random.uniform(-0.3, 0);
        place[1] = random.uniform(-0.2, 0.2);
      } while (Math.sqrt(squares(place)) <= 0.17);
      qpos.fill(0, -2);
      for (let i = 0; i < qvel.length; i++) qvel[i] = random.uniform(-0.005, 0.005);
      qvel.fill(0, -4);
    },
    observe,
    reward: (now) =>
      -distance(now, object, goal) * rewardDistWeight -
      effort(now) * rewardControlWeight -
      distance(now, object, hand) * rewardNearWeight,
  };
}

function observe({ arrays: { qpos, qvel, xpos } }: Simulation, out: Float32Array, at: number): void {
  for (let i = 0; i < joints; i++) {
    out[at + i] = qpos[i];
    out[at + joints + i] = qvel[i];
  }
  // The three bodies are consecutive.
  for (let i = 0; i < 9; i++) out[at + 2 * joints + i] = xpos[3 * hand + i];
}

/**
 * The arm from the shoulder to the hand: each link with the axis, range and damping of its joint, and its position
 * in the previous one.
 */
const links = [
  ["r_shoulder_pan", [0, 0, 1], [-2.2854, 1.714602], 1, [0, -0.6, 0]],
  ["r_shoulder_lift", [0, 1, 0], [-0.5236, 1.3963], 1, [0.1, 0, 0]],
  ["r_upper_arm_roll", [1, 0, 0], [-1.5, 1.7], 0.1, [0, 0, 0]],
  ["r_upper_arm", undefined, undefined, 0, [0, 0, 0]],
  ["r_elbow_flex", [0, 1, 0], [-2.3213, 0], 0.1, [0.4, 0, 0]],
  ["r_forearm_roll", [1, 0, 0], [-1.5, 1.5], 0.1, [0, 0, 0]],
  ["r_forearm", undefined, undefined, 0, [0, 0, 0]],
  ["r_wrist_flex", [0, 1, 0], [-1.094, 0], 0.1, [0.321, 0, 0]],
  ["r_wrist_roll", [1, 0, 0], [-1.5, 1.5], 0.1, [0, 0, 0]],
] as const;

/** Joints of the arm, as named in labels. */
const jointNames = links.flatMap(([name, axis]) => (axis ? [name.slice(2).replaceAll("_", " ")] : []));

const touching = { contype: 1, conaffinity: 1 };
/** Shapes of the links. */
const looks: readonly (readonly string[])[] = [
  [
    sphere("e1", 0.05, [-0.06, 0.05, 0.2]),
    sphere("e2", 0.05, [0.06, 0.05, 0.2]),
    sphere("e1p", 0.03, [-0.06, 0.09, 0.2]),
    sphere("e2p", 0.03, [0.06, 0.09, 0.2]),
    capsule("sp", 0.1, [0, 0, -0.4], [0, 0, 0.2]),
  ],
  [capsule("sl", 0.1, [0, -0.1, 0], [0, 0.1, 0])],
  [capsule("uar", 0.02, [-0.1, 0, 0], [0.1, 0, 0])],
  [capsule("ua", 0.06, [0, 0, 0], [0.4, 0, 0])],
  [capsule("ef", 0.06, [0, -0.02, 0], [0, 0.02, 0])],
  [capsule("fr", 0.02, [-0.1, 0, 0], [0.1, 0, 0])],
  [capsule("fa", 0.05, [0, 0, 0], [0.291, 0, 0])],
  [capsule("wf", 0.01, [0, -0.02, 0], [0, 0.02, 0])],
  [
    capsule(undefined, 0.02, [0, -0.1, 0], [0, 0.1, 0], touching),
    capsule(undefined, 0.02, [0, -0.1, 0], [0.1, -0.1, 0], touching),
    capsule(undefined, 0.02, [0, 0.1, 0], [0.1, 0.1, 0], touching),
  ],
];

const tips = body(
  "tips_arm",
  [0, 0, 0],
  sphere("tip_arml", 0.01, [0.1, -0.1, 0]),
  sphere("tip_armr", 0.01, [0.1, 0.1, 0]),
);

const arm = links.reduceRight((next, [name, axis, range, damping, pos], i) => {
  const turns = axis ? [joint(`${name}_joint`, "hinge", axis, { range, damping })] : [];
  return body(`${name}_link`, pos, ...turns, ...looks[i], next);
}, tips);

const model = () => {
  const slide = { range: [-10.3213, 10.3], damping: 0.5 };
  const disc = (
    name: string,
    slides: string,
    height: number,
    size: readonly number[],
    density: number,
    contype: number,
  ) =>
    body(
      name,
      [0.45, -0.05, height],
      tag("geom", { type: "cylinder", size, density, contype }),
      joint(`${slides}_slidey`, "slide", [0, 1, 0], slide),
      joint(`${slides}_slidex`, "slide", [1, 0, 0], slide),
    );
  return mjcf({
    name: "pusher",
    compiler: { angle: "radian" },
    option: { timestep: 0.01, gravity: [0, 0, 0], iterations: 20 },
    joint: { armature: 0.04, damping: 1 },
    geom: {
      friction: [0.8, 0.1, 0.1],
      density: 300,
      margin: 0.002,
      condim: 1,
      contype: 0,
      conaffinity: 0,
    },
    motor: { ctrlrange: [-2, 2] },
    world: [
      plane("table", [1, 1, 0.1], { pos: [0, 0.5, -0.325], ...touching }),
      arm,
      disc("object", "obj", -0.275, [0.05, 0.05, 0.05], 0.01, 1),
      disc("goal", "goal", -0.323, [0.08, 0.001, 0.1], 0.00001, 0),
    ],
    motors: links.flatMap(([name, axis]) => (axis ? [[`${name}_joint`] as const] : [])),
  });
};
