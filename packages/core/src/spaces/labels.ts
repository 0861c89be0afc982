import type { Labels, Space } from "../space.ts";
import { elements } from "./layout.ts";

/** Says in what way labels do not fit their space; undefined where they do. */
export function labelFault(space: Space, labels: Labels): string | undefined {
  if (space.kind === "dict") {
    if (Array.isArray(labels)) return "is a list, and the space is a dict; give a list for each part";
    for (const [part, inner] of Object.entries(labels)) {
      if (!Object.hasOwn(space.spaces, part)) return `has ${part}, which is no part of the space`;
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
    : `has ${labels.length} labels, and the space has ${count} components`;
}

/** Labels that fit a space; undefined where there are none, or where a wrapper has changed the space under them. */
export const fittingLabels = (space: Space, labels: Labels | undefined): Labels | undefined =>
  labels && labelFault(space, labels) === undefined ? labels : undefined;

/** How many components of a space can have a label: choices of a discrete space, numbers of the others. */
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
