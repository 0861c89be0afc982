import { fail } from "@reins/core";
import { type BodyJoint, type Link, type PlanarBody, type Softness, usualSoftness } from "./body.ts";

/** A coordinate of a body. */
export interface Coordinate extends BodyJoint {
  readonly link: number;
  readonly kind: "slideX" | "slideZ" | "hinge";
  /** Coordinates that also move what this one moves, from the root on. */
  readonly ancestors: readonly number[];
}

/** A body in the form that the dynamics use: links and coordinates by index, parents before children. */
export interface LinkTree {
  readonly links: readonly Link[];
  readonly parents: readonly number[];
  readonly children: readonly (readonly number[])[];
  /** The root link of each link. */
  readonly roots: readonly number[];
  /** Each link with its subtree. */
  readonly masses: readonly number[];
  readonly coordinates: readonly Coordinate[];
  /** Coordinates of each link. */
  readonly own: readonly { readonly [kind in Coordinate["kind"]]?: number }[];
  /** Coordinates with a motor. */
  readonly motors: readonly number[];
  readonly softness: Softness;
}

const kinds = ["slideX", "slideZ", "hinge"] as const;

/** Indexes the parts of a body. */
export function treeOf(name: string, { links, softness }: PlanarBody): LinkTree {
  const parents = links.map((link, i) => {
    if (link.parent === undefined) return -1;
    const found = links.findIndex((other) => other.name === link.parent);
    if (found < 0 || found >= i)
      fail(
        name,
        `link "${link.name}" has the parent "${link.parent}", which is not listed before it. List parents first.`,
      );
    if (!link.hinge || link.slideX || link.slideZ)
      fail(name, `link "${link.name}" has a parent, so it needs a hinge and cannot slide.`);
    return found;
  });
  const coordinates: Coordinate[] = [];
  const own: { [kind in Coordinate["kind"]]?: number }[] = [];
  const chains: number[][] = [];
  links.forEach((link, i) => {
    const chain = parents[i] < 0 ? [] : [...chains[parents[i]]];
    own[i] = {};
    for (const kind of kinds) {
      const joint = link[kind];
      if (!joint) continue;
      own[i][kind] = coordinates.length;
      coordinates.push({ ...joint, link: i, kind, ancestors: [...chain] });
      chain.push(coordinates.length - 1);
    }
    chains[i] = chain;
  });
  const masses = links.map((link) => link.mass);
  for (let i = links.length - 1; i >= 0; i--) if (parents[i] >= 0) masses[parents[i]] += masses[i];
  const numbers = links.map((_, i) => i);
  return {
    links,
    parents,
    children: numbers.map((i) => numbers.filter((j) => parents[j] === i)),
    roots: numbers.map((i) => rootOf(parents, i)),
    masses,
    coordinates,
    own,
    motors: coordinates.flatMap((c, i) => (c.gear === undefined ? [] : [i])),
    softness: { ...usualSoftness, ...softness },
  };
}

const rootOf = (parents: readonly number[], i: number): number =>
  parents[i] < 0 ? i : rootOf(parents, parents[i]);
