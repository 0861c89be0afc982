import type { PlanarPoint } from "./body.ts";
import type { LinkTree } from "./link-tree.ts";
import { cosine, type Num, plus, shifted, sine, swept, times, turned, type Vec } from "./num.ts";

/** Positions and velocities of the links. Angles are counterclockwise. */
export interface Motion {
  /** Sine and cosine of each link's world angle. */
  readonly turns: readonly { readonly s: Num; readonly c: Num }[];
  /** Angular velocity of each link. */
  readonly spins: readonly Num[];
  /** From the parent's hinge to its own. */
  readonly arms: readonly Vec[];
  /** From the root's hinge to its own: small numbers, however far the body has moved. */
  readonly hinges: readonly Vec[];
  /** Velocity of each hinge. */
  readonly speeds: readonly Vec[];
  /** World position of each link's root. */
  readonly bases: readonly Vec[];
}

const none: Vec = { x: 0, z: 0 };

/** Forward kinematics from the roots: positions `q` and velocities `v`, one for each coordinate. */
export function motionOf(tree: LinkTree, q: readonly Num[], v: readonly Num[]): Motion {
  const angles: Num[] = [];
  const spins: Num[] = [];
  const turns: { s: Num; c: Num }[] = [];
  const arms: Vec[] = [];
  const hinges: Vec[] = [];
  const speeds: Vec[] = [];
  const bases: Vec[] = [];
  tree.links.forEach((link, i) => {
    const parent = tree.parents[i];
    const { slideX, slideZ, hinge } = tree.own[i];
    const at = link.at ?? [0, 0];
    const free = parent < 0;
    const of = (list: readonly Num[], coordinate: number | undefined): Num =>
      coordinate === undefined ? 0 : list[coordinate];
    angles[i] = plus(free ? 0 : angles[parent], of(q, hinge));
    spins[i] = plus(free ? 0 : spins[parent], of(v, hinge));
    turns[i] = { s: sine(angles[i]), c: cosine(angles[i]) };
    arms[i] = free ? none : turned(at, turns[parent].s, turns[parent].c);
    hinges[i] = free ? none : shifted(hinges[parent], arms[i]);
    speeds[i] = free
      ? { x: of(v, slideX), z: of(v, slideZ) }
      : shifted(speeds[parent], swept(spins[parent], arms[i]));
    bases[i] = free ? { x: plus(at[0], of(q, slideX)), z: plus(at[1], of(q, slideZ)) } : bases[parent];
  });
  return { turns, spins, arms, hinges, speeds, bases };
}

/** A point of a link: from the link's hinge, and its world velocity. */
export function pointOf(
  motion: Motion,
  link: number,
  at: PlanarPoint,
): { readonly arm: Vec; readonly speed: Vec } {
  const { s, c } = motion.turns[link];
  const arm = turned(at, s, c);
  return { arm, speed: shifted(motion.speeds[link], swept(motion.spins[link], arm)) };
}

/** World position of a point of a link. */
export function placeOf(motion: Motion, link: number, at: PlanarPoint): Vec {
  return shifted(shifted(motion.bases[link], motion.hinges[link]), pointOf(motion, link, at).arm);
}

/** Signs that convert a joint's own numbers to counterclockwise ones, and back. */
export const withSigns = (tree: LinkTree, numbers: readonly Num[]): Num[] =>
  numbers.map((number, i) => times(number, tree.coordinates[i].axis ?? 1));
