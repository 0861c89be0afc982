import { numpy as np, tree } from "@jax-js/jax";
import type { AdamOptions } from "../adam.ts";

/** Moments and parameters as flat lists, with the number of steps so far. */
export type AdamState = { m: np.Array[]; v: np.Array[]; step: np.Array };

const [beta1, beta2, epsilon] = [0.9, 0.999, 1e-8];

/** The step of `../adam.ts`; consumes all its arguments. */
export function adamStep(
  p: np.Array[],
  g: np.Array[],
  state: AdamState,
  { learningRate, weightDecay = 0 }: AdamOptions,
): { p: np.Array[]; state: AdamState } {
  const step = state.step.add(1);
  const correction = (beta: number) => np.expm1(step.ref.mul(Math.log(beta))).neg();
  const rate = np.reciprocal(correction(beta1)).mul(learningRate);
  const root = np.sqrt(correction(beta2));
  const m = state.m.map((m, i) => m.mul(beta1).add(g[i].ref.mul(1 - beta1)));
  const v = state.v.map((v, i) => v.mul(beta2).add(np.square(g[i]).mul(1 - beta2)));
  const next = p.map((p, i) => {
    const move = m[i].ref.mul(rate.ref).div(np.sqrt(v[i].ref).div(root.ref).add(epsilon));
    return (weightDecay ? p.mul(1 - learningRate * weightDecay) : p).sub(move);
  });
  tree.dispose([rate, root]);
  return { p: next, state: { m, v, step } };
}
