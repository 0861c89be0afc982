import { concat, full, pad } from "../ops/movement.ts";
import type { Shape } from "../shape.ts";
import type { Tensor } from "../tensor.ts";

/** The gradient of a slice that begins at `begin`. */
export interface Slice {
  readonly begin: readonly number[];
  readonly g: Tensor;
}

/**
 * Gradients of several slices of one tensor, as gradients of the whole. Adjacent slices along one axis (as those of `split`)
 * are concatenated; others are padded with zeros, one by one.
 */
export function joinSlices(shape: Shape, parts: readonly Slice[]): Tensor[] {
  const axis = shape.findIndex((d, a) => parts[0].g.shape[a] !== d);
  const alongOne =
    axis >= 0 &&
    parts.length > 1 &&
    parts.every(({ g }) => shape.every((d, a) => a === axis || g.shape[a] === d));
  if (alongOne) {
    const joined = sideBySide(shape, parts, axis);
    if (joined) return [joined];
  }
  return parts.map(({ begin, g }) =>
    pad(
      g,
      shape.map((d, a) => [begin[a], d - begin[a] - g.shape[a]] as const),
    ),
  );
}

/** The parts in order with zeros between them, or undefined if they overlap. */
function sideBySide(shape: Shape, parts: readonly Slice[], axis: number): Tensor | undefined {
  const pieces: Tensor[] = [];
  let at = 0;
  const gap = (to: number) => {
    if (to > at)
      pieces.push(
        full(
          shape.map((d, a) => (a === axis ? to - at : d)),
          0,
        ),
      );
  };
  for (const { begin, g } of [...parts].sort((x, y) => x.begin[axis] - y.begin[axis])) {
    if (begin[axis] < at) return undefined;
    gap(begin[axis]);
    pieces.push(g);
    at = begin[axis] + g.shape[axis];
  }
  gap(shape[axis]);
  return concat(pieces, axis);
}
