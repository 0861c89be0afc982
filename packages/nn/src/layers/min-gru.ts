import {
  add,
  concat,
  matmul,
  mul,
  random,
  real,
  sigmoid,
  split,
  sub,
  type Tensor,
  tensor,
  zeros,
} from "@reins/tensor";
import { uniform } from "../init/index.ts";
import type { Recurrent } from "../layer.ts";
import type { RecurrentOptions } from "./gru.ts";
import { type RecurrentCell, recurrent } from "./recurrent.ts";

/** Gates are in the order update, candidate along the last axis. */
export type MinGruParams = { input: Tensor; bias: Tensor };

/** Settings of {@link minGru}. */
export interface MinGruOptions extends RecurrentOptions {
  /**
   * Steps that the longest memory lasts at the start of training; the shortest lasts 2, and the others are spaced evenly on a
   * logarithmic scale (after Tallec and Ollivier, 2018). With 2, as in the paper, long dependencies are hardly learned (default 64).
   */
  span?: number;
}

/** One step of a minimal GRU, in parts. The state is only mixed with the candidate, so the loop over time has no matrix product. */
export function minGruCell({
  inputs,
  units,
  weightInit = uniform(1 / Math.sqrt(inputs)),
  span = 64,
}: MinGruOptions): RecurrentCell<MinGruParams, Tensor> {
  const lasting = Array.from({ length: units }, (_, i) => 2 * real.pow(span / 2, i / Math.max(1, units - 1)));
  return {
    init: (key) => ({
      input: weightInit(random.splitKey(key, 1)[0], [inputs, 2 * units]),
      // A memory of n steps has an update gate of 1/n.
      bias: concat([tensor(lasting.map((n) => -real.log(n - 1))), zeros([units])]),
    }),
    start: (batch) => zeros([batch, units]),
    project: (params, x) => add(matmul(x, params.input), params.bias),
    advance(_, projected, h) {
      const [update, candidate] = split(projected, [units, units], -1);
      const next = add(h, mul(sigmoid(update), sub(candidate, h)));
      return { output: next, state: next };
    },
  };
}

/**
 * Minimal gated recurrent unit (Feng et al., "Were RNNs All We Needed?", 2024): gate and candidate depend only on the input, which leaves a
 * third of a GRU's parameters and a linear recurrence. Computed step by step, as in the paper's sequential form.
 */
export function minGru(options: MinGruOptions): Recurrent<MinGruParams, Tensor> {
  return recurrent(minGruCell(options));
}
