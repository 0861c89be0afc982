import {
  abs,
  add,
  argmax,
  div,
  exp,
  log,
  logSoftmax,
  logSumExp,
  max,
  maximum,
  mean,
  minimum,
  mul,
  neg,
  oneHot,
  square,
  sub,
  sum,
  type Tensor,
} from "@reins/tensor";
import type { LossInputs } from "./loss-inputs.ts";

/**
 * Type of a value in a loss graph: a name of weights or of a state, an action, one number per transition, or one
 * per action.
 */
export type Kind = "weights" | "state" | "action" | "number" | "vector";

interface Op {
  readonly from: readonly Kind[];
  readonly to: Kind;
  readonly apply: (values: never, q: LossInputs["q"]) => Tensor;
}

const unary = (f: (x: Tensor) => Tensor): Op => ({
  from: ["number"],
  to: "number",
  apply: ([x]: [Tensor | number]) => f(add(x, 0)),
});
const binary = (f: (x: Tensor | number, y: Tensor | number) => Tensor): Op => ({
  from: ["number", "number"],
  to: "number",
  apply: ([x, y]: [Tensor | number, Tensor | number]) => f(add(x, 0), y),
});
const reduction = (f: (v: Tensor) => Tensor): Op => ({
  from: ["vector"],
  to: "number",
  apply: ([v]: [Tensor]) => f(v),
});

/** The operations of loss graphs. */
export const ops = {
  /** Values of all actions in a state. */
  q: {
    from: ["weights", "state"],
    to: "vector",
    apply: ([weights, state]: Parameters<LossInputs["q"]>, q: LossInputs["q"]) => q(weights, state),
  },
  /** Value of one action. */
  pick: {
    from: ["vector", "action"],
    to: "number",
    apply: ([v, a]: [Tensor, Tensor]) => sum(mul(v, oneHot(a, v.shape[1])), 1),
  },
  /** The greedy action. */
  best: { from: ["vector"], to: "action", apply: ([v]: [Tensor]) => argmax(v) },
  max: reduction((v) => max(v, 1)),
  mean: reduction((v) => mean(v, 1)),
  soft: reduction((v) => logSumExp(v, 1)),
  /** Entropy of the softmax over action values. */
  entropy: reduction((v) => {
    const logs = logSoftmax(v, 1);
    return neg(sum(mul(exp(logs), logs), 1));
  }),
  add: binary(add),
  sub: binary(sub),
  mul: binary(mul),
  div: binary(div),
  larger: binary(maximum),
  smaller: binary(minimum),
  square: unary(square),
  abs: unary(abs),
  exp: unary(exp),
  log: unary(log),
} as const satisfies { readonly [name: string]: Op };
export type OpName = keyof typeof ops;
