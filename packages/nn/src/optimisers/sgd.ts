import { add, eq, mul, scalar, sub, where } from "@reins/tensor";
import { fail } from "../errors.ts";
import { type DecayOptions, elementwise, flush, type Optimiser } from "./optimiser.ts";

/** Settings of {@link sgd}. */
export interface SgdOptions extends DecayOptions {
  /** Learning rate. Higher learns faster until it diverges (1e-3 to 1). */
  learningRate?: number;
  /** Momentum. Higher is smoother and slower to change direction (0 to 0.99; default 0). */
  momentum?: number;
  /** Dampening of the gradient in the momentum from the second step on (0 to 1; default 0). */
  dampening?: number;
  /** Nesterov momentum. */
  nesterov?: boolean;
}

/** Stochastic gradient descent, optionally with momentum or Nesterov momentum. Weight decay is L2, as in PyTorch. */
export function sgd({
  learningRate = 1e-2,
  momentum = 0,
  dampening = 0,
  nesterov = false,
  ...decay
}: SgdOptions = {}): Optimiser {
  if (nesterov && momentum === 0)
    fail("sgd", "nesterov needs a momentum. Set momentum (usually 0.9), or remove nesterov.");
  return elementwise("sgd", {
    slots: momentum === 0 ? [] : ["momentum"],
    learningRate,
    decay,
    prepare(step, rate) {
      // PyTorch starts with the undampened gradient.
      const fresh = dampening ? where(eq(step, 1), 1, scalar(1 - dampening)) : 1;
      return (p, gradient, [before], weightDecay) => {
        const g = weightDecay ? add(gradient, mul(p, weightDecay)) : gradient;
        if (momentum === 0) return [sub(p, mul(g, rate))];
        const m = flush(add(mul(before, momentum), dampening ? mul(g, fresh) : g));
        const direction = nesterov ? add(g, mul(m, momentum)) : m;
        return [sub(p, mul(direction, rate)), m];
      };
    },
  });
}
