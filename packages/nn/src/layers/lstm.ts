import {
  add,
  concat,
  full,
  matmul,
  mul,
  random,
  sigmoid,
  split,
  type Tensor,
  tanh,
  zeros,
} from "@reins/tensor";
import { uniform } from "../init/index.ts";
import type { Recurrent } from "../layer.ts";
import type { RecurrentOptions } from "./gru.ts";
import { type RecurrentCell, recurrent } from "./recurrent.ts";

/** Gates are in the order input, forget, candidate, output along the last axis (PyTorch's, transposed; its two biases added). */
export type LstmParams = { input: Tensor; hidden: Tensor; bias: Tensor };
/** `h` is also the output; `c` is the memory. */
export type LstmState = { h: Tensor; c: Tensor };

/** Settings of {@link lstm}. */
export interface LstmOptions extends RecurrentOptions {
  /** Initial bias of the forget gate. Higher remembers longer at the start of training (0 to 1; default 0). */
  forgetBias?: number;
}

/** One step of an LSTM, in parts. */
export function lstmCell({
  inputs,
  units,
  weightInit = uniform(1 / Math.sqrt(units)),
  forgetBias = 0,
}: LstmOptions): RecurrentCell<LstmParams, LstmState> {
  const sizes = [units, units, units, units];
  return {
    init(key) {
      const k = random.splitKey(key, 3);
      const bias = uniform(1 / Math.sqrt(units))(k[2], [4 * units]);
      const shift = concat([zeros([units]), full([units], forgetBias), zeros([2 * units])]);
      return {
        input: weightInit(k[0], [inputs, 4 * units]),
        hidden: weightInit(k[1], [units, 4 * units]),
        bias: forgetBias === 0 ? bias : add(bias, shift),
      };
    },
    start: (batch) => ({ h: zeros([batch, units]), c: zeros([batch, units]) }),
    project: (params, x) => add(matmul(x, params.input), params.bias),
    advance(params, projected, { h, c }) {
      const [i, f, g, o] = split(add(projected, matmul(h, params.hidden)), sizes, -1);
      const memory = add(mul(sigmoid(f), c), mul(sigmoid(i), tanh(g)));
      const output = mul(sigmoid(o), tanh(memory));
      return { output, state: { h: output, c: memory } };
    },
  };
}

/** Long short-term memory (Hochreiter and Schmidhuber, 1997). */
export function lstm(options: LstmOptions): Recurrent<LstmParams, LstmState> {
  return recurrent(lstmCell(options));
}
