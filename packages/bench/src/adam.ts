import {
  abs,
  add,
  div,
  expm1,
  gt,
  mul,
  neg,
  rsqrt,
  sqrt,
  square,
  sub,
  type Tensor,
  type Tree,
  treeMap,
  where,
} from "@reins/tensor";

export interface AdamOptions {
  readonly learningRate: number;
  /** Decoupled weight decay (AdamW); 0 is plain Adam. */
  readonly weightDecay?: number;
}

/** The moments, biased as PyTorch keeps them, and the number of steps so far. */
export type AdamState<P> = {
  readonly m: P;
  readonly v: P;
  readonly step: Tensor;
};

const [beta1, beta2, epsilon] = [0.9, 0.999, 1e-8];

/** One step of Adam (Kingma and Ba, 2015) or AdamW (Loshchilov and Hutter, 2019). */
export function adamStep<P extends Tree>(
  p: P,
  g: P,
  state: AdamState<P>,
  { learningRate, weightDecay = 0 }: AdamOptions,
): { parameters: P; state: AdamState<P> } {
  const step = add(state.step, 1);
  // 1 - βᵗ, exact for small t.
  const correction = (beta: number) => neg(expm1(mul(step, Math.log(beta))));
  const rate = div(learningRate, correction(beta1));
  const inverseRoot = rsqrt(correction(beta2));
  // Moments with a zero gradient decay to denormals, which are slow.
  const flushed = (x: Tensor) => where(gt(abs(x), 1e-30), x, 0);
  const m = treeMap((m, g) => flushed(add(mul(m, beta1), mul(g, 1 - beta1))), state.m, g);
  const v = treeMap((v, g) => flushed(add(mul(v, beta2), mul(square(g), 1 - beta2))), state.v, g);
  const parameters = treeMap(
    (p, m, v) =>
      sub(
        weightDecay ? mul(p, 1 - learningRate * weightDecay) : p,
        div(mul(m, rate), add(mul(sqrt(v), inverseRoot), epsilon)),
      ),
    p,
    m,
    v,
  );
  return { parameters, state: { m, v, step } };
}
