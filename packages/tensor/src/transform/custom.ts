import { apply } from "../apply.ts";
import type { NodeOf } from "../graph.ts";
import type { Tensor } from "../tensor.ts";
import { isTracing } from "../tensor.ts";

/** The gradient rule of a custom function: from the gradient of its result to one per argument (null for none). */
export type CustomRule = (gradient: Tensor, result: Tensor, ...inputs: Tensor[]) => (Tensor | null)[];

/** The rule of a custom gradient. Graphs do not depend on tensors, so its type is restored here. */
export const ruleOf = (node: NodeOf<"custom">): CustomRule => node.attributes.rule as CustomRule;

/**
 * A function whose gradient is given by `rule` instead of being derived. The rule uses tensor operations, so higher
 * derivatives work too.
 */
export function customGradient<A extends Tensor[]>(
  f: (...inputs: A) => Tensor,
  rule: (gradient: Tensor, result: Tensor, ...inputs: A) => (Tensor | null)[],
): (...inputs: A) => Tensor {
  return (...inputs) => {
    const y = f(...inputs);
    // The forward value is y itself; the node only marks the rule for gradient().
    return isTracing() ? apply("custom", [y, ...inputs], { rule }, y.shape, y.dtype) : y;
  };
}

/** The same value, without a gradient. */
export function stopGradient(x: Tensor): Tensor {
  return isTracing() ? apply("stopGradient", [x], {}, x.shape, x.dtype) : x;
}
