import {
  add,
  concat,
  matmul,
  mul,
  random,
  sigmoid,
  split,
  sub,
  type Tensor,
  tanh,
  zeros,
} from "@reins/tensor";
import { type Initialiser, xavierUniform } from "../init/index.ts";

/** `made` maps the output of a part to reset, update and candidate; `kept` maps its input to reset and update, `fresh` to the candidate. */
export type GateParams = { made: Tensor; kept: Tensor; fresh: Tensor; bias: Tensor };

/** Combines the output of a part of a network with its input. */
export interface GatedResidual {
  init(key: Tensor): GateParams;
  apply(params: GateParams, x: Tensor, made: Tensor): Tensor;
}

/**
 * A GRU gate instead of a residual sum (Parisotto et al., "Stabilizing Transformers for Reinforcement Learning", 2020). A higher `bias`
 * lets less of the output through at first (0 to 4): with 2, as in the paper, a block starts near the identity.
 */
export function gruGate(width: number, bias = 2, weightInit: Initialiser = xavierUniform()): GatedResidual {
  return {
    init(key) {
      const [a, b, c] = random.splitKey(key, 3);
      const square = (k: Tensor, i: number) => weightInit(random.foldKey(k, i), [width, width]);
      return {
        made: concat([square(a, 0), square(a, 1), square(a, 2)], 1),
        kept: concat([square(b, 0), square(b, 1)], 1),
        fresh: square(c, 0),
        bias: add(zeros([width]), -bias),
      };
    },
    apply(params, x, made) {
      const [mr, mz, mn] = split(matmul(made, params.made), [width, width, width], -1);
      const [xr, xz] = split(matmul(x, params.kept), [width, width], -1);
      const r = sigmoid(add(mr, xr));
      const z = sigmoid(add(add(mz, xz), params.bias));
      const n = tanh(add(mn, matmul(mul(r, x), params.fresh)));
      return add(x, mul(z, sub(n, x)));
    },
  };
}
