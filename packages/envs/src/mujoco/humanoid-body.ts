import { body, capsule, joint, mjcf, plane, sphere, tag } from "./mjcf.ts";

/** A pose: positions of parts in their parents. */
interface Pose {
  readonly height: number;
  readonly head: readonly number[];
  readonly waist: readonly [x: number, z: number];
  readonly lowerWaist: readonly number[];
  readonly pelvis: readonly number[];
  readonly hips: number;
  /** From a hip to its knee and from a knee down to the end of a capsule: `far` times the direction of the legs. */
  readonly down: (far: number) => readonly [x: number, z: number];
  readonly foot: readonly number[];
  /** Maximum flexion of a left thigh, in degrees. */
  readonly leftHip: number;
}

const poses = {
  standing: {
    height: 1.4,
    head: [0, 0, 0.19],
    waist: [-0.01, -0.12],
    lowerWaist: [-0.01, 0, -0.26],
    pelvis: [0, 0, -0.165],
    hips: -0.04,
    down: (far: number) => [0, -far],
    foot: [0, 0, -0.45],
    leftHip: -110,
  },
  lying: {
    height: 0.105,
    head: [-0.15, 0, 0],
    waist: [0.11, 0],
    lowerWaist: [0.21, 0, 0],
    pelvis: [0.165, 0, 0],
    hips: 0,
    down: (far: number) => [far, 0],
    foot: [0.35, 0, -0.1],
    leftHip: -120,
  },
} satisfies { readonly [name: string]: Pose };

/** The humanoid model, standing or lying on its back. */
export function humanoidModel(pose: keyof typeof poses): string {
  const p: Pose = poses[pose];
  const across = (name: string, radius: number, half: number, x: number, z: number) =>
    capsule(name, radius, [x, -half, z], [x, half, z]);
  const slanted = { quat: [1, 0, -0.002, 0] };
  return mjcf({
    name: `humanoid, ${pose}`,
    option: { timestep: 0.003, integrator: "RK4", solver: "PGS", iterations: 50 },
    joint: { damping: 1 },
    geom: { condim: 1, margin: 0.001 },
    motor: { ctrlrange: [-0.4, 0.4] },
    world: [
      plane("floor", [20, 20, 0.125], { condim: 3, friction: [1, 0.1, 0.1] }),
      body(
        "torso",
        [0, 0, p.height],
        tag("joint", { name: "root", type: "free", armature: 0, damping: 0 }),
        across("torso1", 0.07, 0.07, 0, 0),
        sphere("head", 0.09, p.head),
        across("uwaist", 0.06, 0.06, ...p.waist),
        tag(
          "body",
          { name: "lwaist", pos: p.lowerWaist, ...slanted },
          across("lwaist", 0.06, 0.06, 0, 0),
          hinge("abdomen_z", [0, 0, 1], [-45, 45], [20, 5, 0.02], [0, 0, 0.065]),
          hinge("abdomen_y", [0, 1, 0], [-75, 30], [10, 5, 0.02], [0, 0, 0.065]),
          tag(
            "body",
            { name: "pelvis", pos: p.pelvis, ...slanted },
            hinge("abdomen_x", [1, 0, 0], [-35, 35], [10, 5, 0.02], [0, 0, 0.1]),
            across("butt", 0.09, 0.07, -0.02, 0),
            leg("right", p),
            leg("left", p),
          ),
        ),
        arm("right"),
        arm("left"),
      ),
    ],
    motors: motors.map(([name, gear]) => [name, { name, gear }] as const),
    more: [
      tag(
        "tendon",
        {},
        ...["left", "right"].map((side) =>
          tag(
            "fixed",
            { name: `${side}_hipknee` },
            tag("joint", { joint: `${side}_hip_y`, coef: -1 }),
            tag("joint", { joint: `${side}_knee`, coef: 1 }),
          ),
        ),
      ),
    ],
  });
}

/** Motors of each joint, and their gear. */
const motors: readonly (readonly [joint: string, gear: number])[] = [
  ["abdomen_y", 100],
  ["abdomen_z", 100],
  ["abdomen_x", 100],
  ...["right", "left"].flatMap(
    (side) =>
      [
        [`${side}_hip_x`, 100],
        [`${side}_hip_z`, 100],
        [`${side}_hip_y`, 300],
        [`${side}_knee`, 200],
      ] as const,
  ),
  ...["right", "left"].flatMap(
    (side) =>
      [
        [`${side}_shoulder1`, 25],
        [`${side}_shoulder2`, 25],
        [`${side}_elbow`, 25],
      ] as const,
  ),
];

type Side = "right" | "left";

const hinge = (
  name: string,
  axis: readonly number[],
  range: readonly number[],
  [stiffness, damping, armature]: readonly number[],
  pos: readonly number[] = [0, 0, 0],
): string => joint(name, "hinge", axis, { range, stiffness, damping, armature, pos });

function leg(side: Side, p: Pose): string {
  const right = side === "right";
  // Left is positive y.
  const out = right ? -1 : 1;
  const [kneeX, kneeZ] = p.down(0.403);
  const [thighX, thighZ] = p.down(0.34);
  const [shinX, shinZ] = p.down(0.3);
  return body(
    `${side}_thigh`,
    [0, 0.1 * out, p.hips],
    hinge(`${side}_hip_x`, [-out, 0, 0], [-25, 5], [10, 5, 0.01]),
    hinge(`${side}_hip_z`, [0, 0, -out], [-60, 35], [10, 5, 0.01]),
    hinge(`${side}_hip_y`, [0, 1, 0], [right ? -110 : p.leftHip, 20], [20, 5, right ? 0.008 : 0.01]),
    capsule(`${side}_thigh1`, 0.06, [0, 0, 0], [thighX, -0.01 * out, thighZ]),
    body(
      `${side}_shin`,
      [kneeX, -0.01 * out, kneeZ],
      hinge(`${side}_knee`, [0, -1, 0], [-160, -2], [right ? 0 : 1, 1, 0.006], [0, 0, 0.02]),
      capsule(`${side}_shin1`, 0.049, [0, 0, 0], [shinX, 0, shinZ]),
      body(`${side}_foot`, p.foot, sphere(`${side}_foot`, 0.075, [0, 0, 0.1])),
    ),
  );
}

function arm(side: Side): string {
  const out = side === "right" ? -1 : 1;
  const reach = out === -1 ? [-85, 60] : [-60, 85];
  const along = (far: number) => [far, -far * out, far];
  return body(
    `${side}_upper_arm`,
    [0, 0.17 * out, 0.06],
    hinge(`${side}_shoulder1`, [2, -out, 1], reach, [1, 1, 0.0068]),
    hinge(`${side}_shoulder2`, [0, out, 1], reach, [1, 1, 0.0051]),
    capsule(`${side}_uarm1`, 0.04, [0, 0, 0], [0.16, 0.16 * out, -0.16]),
    body(
      `${side}_lower_arm`,
      [0.18, 0.18 * out, -0.18],
      hinge(`${side}_elbow`, [0, -1, -out], [-90, 50], [0, 1, 0.0028]),
      capsule(`${side}_larm`, 0.031, along(0.01), along(0.17)),
      sphere(`${side}_hand`, 0.04, along(0.18)),
    ),
  );
}
