import type { Space } from "../space.ts";

/**
 * Entries of an action mask; 0 if a space has none. Several choices have theirs in sequence; bit i of a
 * multiBinary has entry 2i for 0 and 2i + 1 for 1.
 */
export function maskSize(space: Space): number {
  return choiceSizes(space).reduce((n, size) => n + size, 0);
}

/** The number of options of each choice that a mask restricts: several for multiDiscrete and multiBinary. */
export function choiceSizes(space: Space): readonly number[] {
  switch (space.kind) {
    case "discrete":
      return [space.n];
    case "multiDiscrete":
      return space.sizes;
    case "multiBinary":
      return Array<number>(space.n).fill(2);
    default:
      return [];
  }
}

/** What a mask allows too little of: `"no action"`, or `"no option of choice 1"`; undefined if each choice has an option. */
export function maskFault(sizes: readonly number[], mask: ArrayLike<number | boolean>): string | undefined {
  let at = 0;
  for (let choice = 0; choice < sizes.length; choice++) {
    const end = at + sizes[choice];
    let allowed = false;
    for (; at < end; at++) if (mask[at]) allowed = true;
    if (!allowed) return sizes.length === 1 ? "no action" : `no option of choice ${choice}`;
  }
  return undefined;
}
