import { body, capsule, joint, tag } from "./mjcf.ts";

/** The trunk of hopper and walker: it moves in the x-z plane, and tilts. */
export function trunk(friction: number, ...legs: readonly string[]): string {
  const free = { armature: 0, damping: 0 };
  return body(
    "torso",
    [0, 0, 1.25],
    joint("rootx", "slide", [1, 0, 0], { ...free, pos: [0, 0, -1.25] }),
    joint("rootz", "slide", [0, 0, 1], { ...free, pos: [0, 0, -1.25], ref: 1.25 }),
    joint("rooty", "hinge", [0, 1, 0], free),
    stick("torso_geom", 0.05, 0.2, 0, friction),
    ...legs,
  );
}

/** Parameters of a leg. */
export interface Leg {
  /** Suffix of the names of its parts. */
  readonly suffix: string;
  /** Distance of the foot's origin ahead of the ankle. */
  readonly ahead: number;
  /** Ends of the foot, from its origin. */
  readonly sole: readonly [back: number, front: number];
  readonly friction: number;
  readonly footFriction: number;
}

/** A leg under the trunk: thigh, shin and foot. */
export function leg({ suffix, ahead, sole: [back, front], friction, footFriction }: Leg): string {
  const bend = (part: string, range: readonly number[], pos: readonly number[]) =>
    joint(`${part}${suffix}_joint`, "hinge", [0, -1, 0], { range, pos });
  return body(
    `thigh${suffix}`,
    [0, 0, -0.2],
    bend("thigh", [-150, 0], [0, 0, 0]),
    stick(`thigh${suffix}_geom`, 0.05, 0.225, -0.225, friction),
    body(
      `leg${suffix}`,
      [0, 0, -0.7],
      bend("leg", [-150, 0], [0, 0, 0.25]),
      stick(`leg${suffix}_geom`, 0.04, 0.25, 0, friction),
      body(
        `foot${suffix}`,
        [ahead, 0, -0.35],
        bend("foot", [-45, 45], [-ahead, 0, 0.1]),
        capsule(`foot${suffix}_geom`, 0.06, [back, 0, 0.1], [front, 0, 0.1], { friction: footFriction }),
      ),
    ),
  );
}

/** A vertical capsule around a height. */
const stick = (name: string, radius: number, half: number, z: number, friction: number): string =>
  tag("geom", { name, type: "capsule", size: [radius, half], pos: [0, 0, z], friction });
