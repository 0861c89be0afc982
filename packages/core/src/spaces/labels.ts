import type { Labels, Space } from "../space.ts";
import { elements } from "./layout.ts";

/** How labels do not fit their space; undefined if they do. */
export function labelFault(space: Space, labels: Labels): string | undefined {
  if (space.kind === "dict") {
    if (Array.isArray(labels)) return "is a list, but the space is a dict; use one list per part";
    for (const [part, inner] of Object.entries(labels)) {
      if (!Object.hasOwn(space.spaces, part)) return `has ${part}, which is not a part of the space`;
      const fault = labelFault(space.spaces[part], inner);
      if (fault !== undefined) return `${part} ${fault}`;
    }
    return undefined;
  }
  const count = countOf(space);
  if (count === undefined) return `is not possible for a space of kind ${space.kind}`;
  if (!Array.isArray(labels) || !labels.every((label) => typeof label === "string"))
    return "must be a list of strings";
  return labels.length === count
    ? undefined
    : `has ${labels.length} labels, but the space has ${count} components`;
}

/** Labels that fit a space; undefined if there are none, or if a wrapper has changed the space. */
export const fittingLabels = (space: Space, labels: Labels | undefined): Labels | undefined =>
  labels && labelFault(space, labels) === undefined ? labels : undefined;

/** Number of components that can have labels: choices of a discrete space, numbers of the others. */
function countOf(space: Space): number | undefined {
  switch (space.kind) {
    case "discrete":
      return space.n;
    case "multiDiscrete":
    case "multiBinary":
    case "box":
    case "simplex":
      return elements(space);
    default:
      return undefined;
  }
}
