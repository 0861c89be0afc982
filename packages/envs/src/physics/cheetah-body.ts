import { real } from "@reins/tensor";
import type { Capsule, Contact, Link, PlanarBody, PlanarPoint } from "./body.ts";
import { capsuleInertia, withTotalMass } from "./capsules.ts";

const radius = 0.046;
const friction = 0.4;

/** A part of a leg: its position, range, spring and motor, and its capsule by centre, half length and tilt. */
type Limb = readonly [
  name: string,
  at: PlanarPoint,
  range: readonly [number, number],
  stiffness: number,
  gear: number,
  stick: readonly [x: number, z: number, half: number, tilt: number],
];

const hind: readonly Limb[] = [
  ["hind thigh", [-0.5, 0], [-0.52, 1.05], 240, 120, [0.1, -0.13, 0.145, -3.8]],
  ["hind shin", [0.16, -0.25], [-0.785, 0.785], 180, 90, [-0.14, -0.07, 0.15, -2.03]],
  ["hind foot", [-0.28, -0.14], [-0.4, 0.785], 120, 60, [0.03, -0.097, 0.094, -0.27]],
];
const fore: readonly Limb[] = [
  ["fore thigh", [0.5, 0], [-1, 0.7], 180, 120, [-0.07, -0.12, 0.133, 0.52]],
  ["fore shin", [-0.14, -0.24], [-1.2, 0.87], 120, 60, [0.065, -0.09, 0.106, -0.6]],
  ["fore foot", [0.13, -0.18], [-0.5, 0.5], 60, 30, [0.045, -0.07, 0.07, -0.6]],
];

/** A capsule from its lower to its upper end. */
function stick([x, z, half, tilt]: Limb[5]): Capsule {
  const [dx, dz] = [half * real.sin(tilt), half * real.cos(tilt)];
  const ends: [PlanarPoint, PlanarPoint] = [
    [x - dx, z - dz],
    [x + dx, z + dz],
  ];
  const [from, to] = ends.sort((a, b) => a[1] - b[1]);
  return { from, to, radius };
}

const touching = (at: PlanarPoint): Contact => ({ at, radius, friction });

const leg = (limbs: readonly Limb[]): Link[] =>
  limbs.map(([name, at, range, stiffness, gear, form], i) => {
    const shape = stick(form);
    return {
      name,
      parent: i === 0 ? "torso" : limbs[i - 1][0],
      at,
      ...capsuleInertia([shape], 1),
      hinge: { axis: -1, range, stiffness, damping: stiffness / 40, armature: 0.1, gear },
      // A shin ends where the foot begins, and the foot has contacts at both ends.
      contacts: i === 0 ? [touching(shape.from)] : i === 2 ? [touching(shape.from), touching(shape.to)] : [],
      shapes: [shape],
    };
  });

const back: Capsule = { from: [-0.5, 0], to: [0.5, 0], radius };
const head = stick([0.6, 0.1, 0.15, 0.87]);

/** The half cheetah of MuJoCo's models (Wawrzyński, 2009): its lengths, masses, springs and motors. */
export const cheetahBody: PlanarBody = {
  links: withTotalMass(
    [
      {
        name: "torso",
        at: [0, 0.7],
        ...capsuleInertia([back, head], 1),
        slideX: {},
        slideZ: {},
        hinge: { axis: -1 },
        contacts: [back.from, back.to, head.to].map(touching),
        shapes: [back, head],
      },
      ...leg(hind),
      ...leg(fore),
    ],
    14,
  ),
};
