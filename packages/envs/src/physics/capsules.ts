import type { Capsule, Link, PlanarPoint } from "./body.ts";

/** Mass, centre of mass and inertia of a rigid set of capsules, as MuJoCo computes them. */
export function capsuleInertia(
  capsules: readonly Capsule[],
  density: number,
): Pick<Link, "mass" | "center" | "inertia"> {
  const parts = capsules.map(({ from, to, radius: r }) => {
    const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
    const cylinder = density * Math.PI * r * r * length;
    const ball = (density * Math.PI * r * r * r * 4) / 3;
    // Each half of the sphere has its own centre of mass at 3/8 of the radius beyond the cylinder's end.
    const inertia =
      (cylinder * (3 * r * r + length * length)) / 12 +
      ball * (0.4 * r * r + (length * length) / 4 + (3 * length * r) / 8);
    const middle: PlanarPoint = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2];
    return { mass: cylinder + ball, middle, inertia };
  });
  const mass = parts.reduce((sum, part) => sum + part.mass, 0);
  const mean = (axis: 0 | 1) => parts.reduce((sum, part) => sum + part.mass * part.middle[axis], 0) / mass;
  const center: PlanarPoint = [mean(0), mean(1)];
  const inertia = parts.reduce(
    (sum, part) =>
      sum +
      part.inertia +
      part.mass * ((part.middle[0] - center[0]) ** 2 + (part.middle[1] - center[1]) ** 2),
    0,
  );
  return { mass, center, inertia };
}

/** The links rescaled to another total mass, in proportion. */
export function withTotalMass(links: readonly Link[], total: number): Link[] {
  const factor = total / links.reduce((sum, link) => sum + link.mass, 0);
  return links.map((link) => ({ ...link, mass: link.mass * factor, inertia: link.inertia * factor }));
}
