import {
  add,
  cast,
  div,
  expm1,
  maximum,
  mul,
  neg,
  real,
  rsqrt,
  sqrt,
  square,
  sub,
  type Tensor,
} from "@reins/tensor";
import { type DecayOptions, elementwise, flush, type Optimiser } from "./optimiser.ts";

/** Settings of {@link adam} and {@link adamW}. */
export interface AdamOptions extends DecayOptions {
  /** Learning rate. Higher learns faster until it diverges (1e-5 to 1e-3). */
  learningRate?: number;
  /** Decay of the first moment. Higher is smoother (0.9). */
  beta1?: number;
  /** Decay of the second moment. Higher is smoother (0.95 to 0.999). */
  beta2?: number;
  /** Added to the root. Higher damps parameters with small gradients (1e-8; 1e-5 in PPO). */
  epsilon?: number;
  /** AMSGrad: divides by the largest second moment so far, so steps never grow again (Reddi et al., 2018). */
  amsgrad?: boolean;
}

/** Adam (Kingma and Ba, 2015). Weight decay is L2, part of the gradient; for decoupled decay use {@link adamW}. */
export function adam(options: AdamOptions = {}): Optimiser {
  return adamLike("adam", options, false);
}

/** Adam with decoupled weight decay (Loshchilov and Hutter, 2019; default 0.01). */
export function adamW(options: AdamOptions = {}): Optimiser {
  return adamLike("adamW", { weightDecay: 1e-2, ...options }, true);
}

/** 1 - betaᵗ, through expm1: 1 - 0.999 loses four digits in f32. */
function correction(beta: number, step: Tensor): Tensor {
  return neg(expm1(mul(cast(step, "f32"), real.log(beta))));
}

function adamLike(name: string, options: AdamOptions, decoupled: boolean): Optimiser {
  const {
    learningRate = 1e-3,
    beta1 = 0.9,
    beta2 = 0.999,
    epsilon = 1e-8,
    amsgrad = false,
    ...decay
  } = options;
  return elementwise(name, {
    slots: ["mean", "square", ...(amsgrad ? ["largest"] : [])],
    learningRate,
    decay,
    prepare(step, rate) {
      const stride = div(rate, correction(beta1, step));
      const inverseRoot = rsqrt(correction(beta2, step));
      return (p, gradient, [mean, squares, largest], weightDecay) => {
        const g = weightDecay && !decoupled ? add(gradient, mul(p, weightDecay)) : gradient;
        const m = flush(add(mul(mean, beta1), mul(g, 1 - beta1)));
        const v = flush(add(mul(squares, beta2), mul(square(g), 1 - beta2)));
        const top = amsgrad ? maximum(largest, v) : v;
        const kept = weightDecay && decoupled ? mul(p, sub(1, mul(rate, weightDecay))) : p;
        const next = sub(kept, mul(stride, div(m, add(mul(sqrt(top), inverseRoot), epsilon))));
        return amsgrad ? [next, m, v, top] : [next, m, v];
      };
    },
  });
}
