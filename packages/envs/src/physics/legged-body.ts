import type { BodyJoint, Capsule, Contact, Link, PlanarBody, PlanarPoint } from "./body.ts";
import { capsuleInertia } from "./capsules.ts";

/** Differences between the hopper and the walker. */
interface Legged {
  /** Suffix of the names of each leg's parts. */
  readonly legs: readonly string[];
  /** Ends of a foot, from its ankle. */
  readonly sole: readonly [back: number, front: number];
  readonly motor: BodyJoint;
  readonly friction: { readonly foot: number; readonly rest: number };
}

const density = 1000;
const degrees = Math.PI / 180;

const upright = (radius: number, from: number, to: number): Capsule => ({
  from: [0, from],
  to: [0, to],
  radius,
});

/** A trunk on legs of thigh, shin and foot, with the lengths and masses of MuJoCo's models (Erez, Tassa and Todorov, 2011). */
function legged({ legs, sole, motor, friction }: Legged): PlanarBody {
  const touching = (shape: Capsule, ends: readonly PlanarPoint[], rough: number): Contact[] =>
    ends.map((at) => ({ at, radius: shape.radius, friction: rough }));
  const trunk = upright(0.05, -0.2, 0.2);
  const thigh = upright(0.05, -0.45, 0);
  const shin = upright(0.04, -0.5, 0);
  const foot: Capsule = { from: [sole[0], 0], to: [sole[1], 0], radius: 0.06 };
  const part = (
    name: string,
    parent: string,
    at: PlanarPoint,
    shape: Capsule,
    contacts: Contact[],
  ): Link => ({
    name,
    parent,
    at,
    ...capsuleInertia([shape], density),
    hinge: { ...motor, range: name.startsWith("foot") ? [-45 * degrees, 45 * degrees] : [-150 * degrees, 0] },
    contacts,
    shapes: [shape],
  });
  return {
    links: [
      {
        name: "trunk",
        ...capsuleInertia([trunk], density),
        slideX: {},
        slideZ: {},
        hinge: { axis: -1 },
        contacts: touching(trunk, [trunk.from, trunk.to], friction.rest),
        shapes: [trunk],
      },
      ...legs.flatMap((leg) => [
        part(`thigh${leg}`, "trunk", [0, -0.2], thigh, touching(thigh, [thigh.from], friction.rest)),
        part(`shin${leg}`, `thigh${leg}`, [0, -0.45], shin, []),
        part(
          `foot${leg}`,
          `shin${leg}`,
          [0, -0.5],
          foot,
          touching(foot, [foot.from, foot.to], friction.foot),
        ),
      ]),
    ],
  };
}

/** One leg under a trunk. */
export const hopperBody: PlanarBody = legged({
  legs: [""],
  sole: [-0.13, 0.26],
  motor: { armature: 1, damping: 1, gear: 200 },
  friction: { foot: 2, rest: 1 },
});

/** Two legs under a trunk. */
export const walkerBody: PlanarBody = legged({
  legs: ["", " behind"],
  sole: [0, 0.2],
  motor: { armature: 0.01, damping: 0.1, gear: 100 },
  friction: { foot: 1.9, rest: 0.9 },
});
