import type { Shape } from "@reins/tensor";
import { fail, show } from "../errors.ts";

/** Fan-in (inputs per output) and fan-out (outputs per input). */
export interface Fans {
  in: number;
  out: number;
}

/**
 * The fans of a weight: [inputs, outputs] for a linear layer, [out, in, …window] for a convolution (each tap of the window
 * counts as an input).
 */
export function fans(shape: Shape): Fans {
  if (shape.length < 2)
    fail(
      "fans",
      `a weight of shape ${show(shape)} has no fan-in and fan-out: it needs at least two axes. Use zeros() or constant() for biases.`,
    );
  if (shape.length === 2) return { in: shape[0], out: shape[1] };
  const window = shape.slice(2).reduce((n, d) => n * d, 1);
  return { in: shape[1] * window, out: shape[0] * window };
}
