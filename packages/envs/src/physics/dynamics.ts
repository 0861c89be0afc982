import type { LinkTree } from "./link-tree.ts";
import type { Motion } from "./motion.ts";
import {
  apart,
  minus,
  moment,
  type Num,
  plus,
  scaled,
  shifted,
  squared,
  times,
  turned,
  type Vec,
} from "./num.ts";

/** A force on a point of a link. */
export interface Push {
  readonly link: number;
  /** From the link's hinge, along the world axes. */
  readonly arm: Vec;
  readonly force: Vec;
  /**
   * Velocity coefficient of the force times the time step: an implicit force acts like a mass at that point, which
   * may differ between the two axes.
   */
  readonly resist?: Vec;
}

/** Quantities carried from the leaves to the root: a link with its subtree. */
interface Carried {
  /** First moments about the hinge, of masses and implicit forces. */
  first: Vec;
  /** Second moment about the hinge. */
  second: Num;
  /** Implicit forces besides masses. */
  resist: Vec;
  /** Force and moment about the hinge from velocities and external forces. */
  force: Vec;
  moment: Num;
}

/** Mass matrix (for coordinates in one chain) and bias forces, so that M · acceleration = force - bias. */
export interface Dynamics {
  readonly matrix: Num[][];
  readonly bias: Num[];
}

/**
 * Composite rigid bodies and recursive Newton-Euler (Featherstone, Rigid Body Dynamics Algorithms, 2008, chapters
 * 5 and 6), in the plane: all axes are parallel, so that no frame changes are needed and total masses stay
 * constants.
 */
export function dynamicsOf(tree: LinkTree, motion: Motion, gravity: Num, pushes: readonly Push[]): Dynamics {
  const falls = fallsOf(tree, motion, gravity);
  const carried: Carried[] = [];
  for (let k = tree.links.length - 1; k >= 0; k--)
    carried[k] = carry(tree, motion, falls, pushes, carried, k);
  const count = tree.coordinates.length;
  const matrix: Num[][] = Array.from({ length: count }, () => []);
  const bias: Num[] = [];
  tree.coordinates.forEach(({ kind, link, ancestors, armature = 0 }, i) => {
    const { first, second, resist, force, moment } = carried[link];
    const mass = tree.masses[link];
    bias[i] = kind === "hinge" ? moment : kind === "slideX" ? force.x : force.z;
    if (kind !== "hinge") {
      matrix[i][i] = plus(mass + armature, kind === "slideX" ? resist.x : resist.z);
      for (const j of ancestors) matrix[i][j] = 0;
      return;
    }
    matrix[i][i] = plus(second, armature);
    for (const j of ancestors) {
      const other = tree.coordinates[j];
      if (other.kind === "slideX") matrix[i][j] = minus(0, first.z);
      else if (other.kind === "slideZ") matrix[i][j] = first.x;
      else {
        const arm = apart(motion.hinges[link], motion.hinges[other.link]);
        matrix[i][j] = plus(second, times(first.x, arm.x), times(first.z, arm.z));
      }
    }
  });
  return { matrix, bias };
}

/** The acceleration of each hinge without joint accelerations, in a free-falling frame. */
function fallsOf(tree: LinkTree, { spins, arms }: Motion, gravity: Num): Vec[] {
  const falls: Vec[] = [];
  tree.parents.forEach((parent, i) => {
    falls[i] =
      parent < 0 ? { x: 0, z: gravity } : apart(falls[parent], scaled(arms[i], squared(spins[parent])));
  });
  return falls;
}

/** The composite of link `k`, from its children. */
function carry(
  tree: LinkTree,
  { turns, spins, arms }: Motion,
  falls: readonly Vec[],
  pushes: readonly Push[],
  carried: readonly Carried[],
  k: number,
): Carried {
  const { mass, center, inertia } = tree.links[k];
  const [x, z] = center;
  // Mass times the vector from the hinge to the centre of mass.
  const own = turned([mass * x, mass * z], turns[k].s, turns[k].c);
  let first = own;
  let second: Num = inertia + mass * (x * x + z * z);
  let resist: Vec = { x: 0, z: 0 };
  let force = apart(scaled(falls[k], mass), scaled(own, squared(spins[k])));
  let turning = moment(own, falls[k]);
  for (const child of tree.children[k]) {
    const arm = arms[child];
    const below = carried[child];
    const [ax, az] = tree.links[child].at ?? [0, 0];
    const whole = tree.masses[child];
    const twice = plus(times(below.first.x, arm.x), times(below.first.z, arm.z));
    second = plus(
      second,
      whole * (ax * ax + az * az),
      below.second,
      times(2, twice),
      times(below.resist.z, squared(arm.x)),
      times(below.resist.x, squared(arm.z)),
    );
    first = {
      x: plus(first.x, below.first.x, times(plus(whole, below.resist.z), arm.x)),
      z: plus(first.z, below.first.z, times(plus(whole, below.resist.x), arm.z)),
    };
    resist = shifted(resist, below.resist);
    force = shifted(force, below.force);
    turning = plus(turning, below.moment, moment(arm, below.force));
  }
  for (const push of pushes) {
    if (push.link !== k) continue;
    force = apart(force, push.force);
    turning = minus(turning, moment(push.arm, push.force));
    if (!push.resist) continue;
    const lever: Vec = { x: times(push.resist.z, push.arm.x), z: times(push.resist.x, push.arm.z) };
    resist = shifted(resist, push.resist);
    first = shifted(first, lever);
    second = plus(second, times(lever.x, push.arm.x), times(lever.z, push.arm.z));
  }
  return { first, second, resist, force, moment: turning };
}
