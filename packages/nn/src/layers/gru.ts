import { add, matmul, mul, random, sigmoid, split, sub, type Tensor, tanh, zeros } from "@reins/tensor";
import { type Initialiser, uniform } from "../init/index.ts";
import type { Recurrent } from "../layer.ts";
import { type RecurrentCell, recurrent } from "./recurrent.ts";

/** Gates are in the order reset, update, candidate along the last axis (PyTorch's, transposed). */
export type GruParams = { input: Tensor; hidden: Tensor; inputBias: Tensor; hiddenBias: Tensor };

/** Settings of {@link gru}. */
export interface RecurrentOptions {
  /** Length of the last axis of the input. */
  inputs: number;
  /** Length of the output and of the state. More remember more and cost quadratically (64 to 1024). */
  units: number;
  /** Initial weights (default: uniform in ±1/√units). */
  weightInit?: Initialiser;
}

/** One step of a GRU, in parts. */
export function gruCell({
  inputs,
  units,
  weightInit = uniform(1 / Math.sqrt(units)),
}: RecurrentOptions): RecurrentCell<GruParams, Tensor> {
  const sizes = [units, units, units];
  return {
    init(key) {
      const k = random.splitKey(key, 4);
      const bias = uniform(1 / Math.sqrt(units));
      return {
        input: weightInit(k[0], [inputs, 3 * units]),
        hidden: weightInit(k[1], [units, 3 * units]),
        inputBias: bias(k[2], [3 * units]),
        hiddenBias: bias(k[3], [3 * units]),
      };
    },
    start: (batch) => zeros([batch, units]),
    project: (params, x) => add(matmul(x, params.input), params.inputBias),
    advance(params, projected, h) {
      const [xr, xz, xn] = split(projected, sizes, -1);
      const [hr, hz, hn] = split(add(matmul(h, params.hidden), params.hiddenBias), sizes, -1);
      const r = sigmoid(add(xr, hr));
      const z = sigmoid(add(xz, hz));
      const n = tanh(add(xn, mul(r, hn)));
      const next = add(n, mul(z, sub(h, n)));
      return { output: next, state: next };
    },
  };
}

/** Gated recurrent unit (Cho et al., 2014), with PyTorch's placement of the reset gate. */
export function gru(options: RecurrentOptions): Recurrent<GruParams, Tensor> {
  return recurrent(gruCell(options));
}
