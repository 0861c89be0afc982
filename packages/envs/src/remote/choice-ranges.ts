import type { Space } from "@reins/core";

/** The whole numbers that an element of a column may be. */
export interface ChoiceRange {
  readonly start: number;
  readonly size: number;
}

/** The ranges of the elements of one row of a column, by its path in a space; undefined if its numbers are not choices. */
export function choiceRangesAt(
  space: Space,
  path: readonly (string | number)[],
): readonly ChoiceRange[] | undefined {
  let part = space;
  for (const name of path)
    if (part.kind === "dict" || part.kind === "tuple")
      part = (part.spaces as { readonly [name: string | number]: Space })[name];
  switch (part.kind) {
    case "discrete":
      return [{ start: part.start, size: part.n }];
    case "multiDiscrete":
      return part.sizes.map((size) => ({ start: 0, size }));
    case "multiBinary":
      return Array.from({ length: part.n }, () => ({ start: 0, size: 2 }));
    default:
      return undefined;
  }
}
