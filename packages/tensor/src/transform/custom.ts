import { apply } from "../apply.ts";
import type { NodeOf } from "../graph.ts";
import type { Tensor } from "../tensor.ts";
import { isTracing } from "../tensor.ts";

/** How a custom function passes a gradient on: from that of its result to one per argument (null for none). */
export type CustomRule = (gradient: Tensor, result: Tensor, ...inputs: Tensor[]) => (Tensor | null)[];

/** The rule of a custom gradient. Graphs know nothing of tensors, and so not its type either: what made the node did. */
export const ruleOf = (node: NodeOf<"custom">): CustomRule => node.attributes.rule as CustomRule;

/**
 * A function whose gradient is given by `rule` instead of being derived. The rule is written with tensor operations, so higher
 * derivatives work too.
 */
export function customGradient<A extends Tensor[]>(
  f: (...inputs: A) => Tensor,
  rule: (gradient: Tensor, result: Tensor, ...inputs: A) => (Tensor | null)[],
): (...inputs: A) => Tensor {
  return (...inputs) => {
    const y = f(...inputs);
    // The forward value is y itself; the node only tells gradient() where to turn.
    return isTracing() ? apply("custom", [y, ...inputs], { rule }, y.shape, y.dtype) : y;
  };
}

/** The same value, through which no gradient flows. */
export function stopGradient(x: Tensor): Tensor {
  return isTracing() ? apply("stopGradient", [x], {}, x.shape, x.dtype) : x;
}
