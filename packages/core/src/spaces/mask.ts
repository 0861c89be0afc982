import type { Space } from "../space.ts";

/**
 * Entries of an action mask; 0 if a space has none. Several choices have theirs in sequence; bit i of a
 * multiBinary has entry 2i for 0 and 2i + 1 for 1.
 */
export function maskSize(space: Space): number {
  switch (space.kind) {
    case "discrete":
      return space.n;
    case "multiDiscrete":
      return space.sizes.reduce((n, size) => n + size, 0);
    case "multiBinary":
      return 2 * space.n;
    default:
      return 0;
  }
}
