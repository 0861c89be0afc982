import type { Capsule, Link } from "./body.ts";
import { capsuleInertia } from "./capsules.ts";

const upper: Capsule = { from: [0, 0], to: [0.5, 0], radius: 0.04 };
const damping = { damping: 2, armature: 0.1 };

/** The tip, at the end of the second link. */
export const tip: Capsule = { from: [0.5, 0], to: [0.5, 0], radius: 0.06 };

/** An arm of two links, half a metre each, that turns above a table, with motors of this torque. */
export function armLinks(gear: number): readonly Link[] {
  const motor = { gear, ...damping };
  return [
    { name: "arm", ...capsuleInertia([upper], 400), hinge: motor, shapes: [upper] },
    {
      name: "forearm",
      parent: "arm",
      at: [0.5, 0],
      ...capsuleInertia([upper, tip], 400),
      hinge: { ...motor, range: [-2.8, 2.8] },
      shapes: [upper, tip],
    },
  ];
}
