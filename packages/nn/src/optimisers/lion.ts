import { add, mul, sign, sub } from "@reins/tensor";
import { type DecayOptions, elementwise, flush, type Optimiser } from "./optimiser.ts";

/** Settings of {@link lion}. */
export interface LionOptions extends DecayOptions {
  /** Learning rate, the step size of every parameter: a third to a tenth of Adam's (1e-5 to 3e-4). */
  learningRate?: number;
  /** Weight of the momentum in the direction of the step (0.9). */
  beta1?: number;
  /** Decay of the momentum. Higher is smoother (0.99). */
  beta2?: number;
}

/** Lion (Chen et al., 2023): steps of constant size in the direction of the momentum's sign. Weight decay is decoupled. */
export function lion({
  learningRate = 1e-4,
  beta1 = 0.9,
  beta2 = 0.99,
  ...decay
}: LionOptions = {}): Optimiser {
  return elementwise("lion", {
    slots: ["momentum"],
    learningRate,
    decay,
    prepare:
      (_, rate) =>
      (p, g, [m], weightDecay) => {
        const direction = sign(add(mul(m, beta1), mul(g, 1 - beta1)));
        const kept = weightDecay ? mul(p, sub(1, mul(rate, weightDecay))) : p;
        return [sub(kept, mul(direction, rate)), flush(add(mul(m, beta2), mul(g, 1 - beta2)))];
      },
  });
}
