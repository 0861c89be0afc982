import type { Space } from "../space.ts";
import { isArray } from "./numbers.ts";

/** A space as messages print it: `Discrete(2)`, `Box([4], -inf to inf)`, `Dict(a: …)`. */
export function show(space: Space): string {
  switch (space.kind) {
    case "discrete":
      return space.start === 0 ? `Discrete(${space.n})` : `Discrete(${space.n}, from ${space.start})`;
    case "multiDiscrete":
      return `MultiDiscrete(${some(space.sizes)})`;
    case "multiBinary":
      return `MultiBinary(${space.n})`;
    case "box":
      return `Box([${space.shape.join(", ")}], ${bound(space.low)} to ${bound(space.high)})`;
    case "image":
      return `Image(${space.height} × ${space.width} × ${space.channels})`;
    case "simplex":
      return `Simplex(${space.n})`;
    case "list":
      return `${space.ordered ? "List" : "Set"}(${show(space.item)}, up to ${space.max})`;
    case "text":
      return Number.isFinite(space.maxLength) ? `Text(up to ${space.maxLength})` : "Text";
    case "content":
      return `Content(${["text", ...space.parts.map(show)].join(", ")})`;
    case "graph":
      return `Graph(up to ${space.maxNodes} nodes of ${space.nodeFeatures}, up to ${space.maxEdges} edges of ${space.edgeFeatures})`;
    case "dict":
      return `Dict(${Object.entries(space.spaces)
        .map(([name, part]) => `${name}: ${show(part)}`)
        .join(", ")})`;
    case "tuple":
      return `Tuple(${space.spaces.map(show).join(", ")})`;
  }
}

/** A number as messages print it. */
export function number(x: number): string {
  if (Number.isFinite(x)) return String(Number(x.toPrecision(6)));
  return Number.isNaN(x) ? "NaN" : x < 0 ? "-inf" : "inf";
}

function bound(b: number | readonly number[]): string {
  if (!isArray(b)) return number(b);
  return b.every((x) => x === b[0]) ? number(b[0]) : `[${some(b)}]`;
}

/** The first few numbers, and dots for the rest. */
export function some(xs: ArrayLike<number>): string {
  const shown = Array.from({ length: Math.min(xs.length, 6) }, (_, i) => number(xs[i]));
  return shown.join(", ") + (xs.length > 6 ? ", …" : "");
}
