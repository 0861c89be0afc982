import { elu, gelu, leakyRelu, mish, relu, sigmoid, silu, softplus, type Tensor, tanh } from "@reins/tensor";
import { fail } from "../errors.ts";

const named = {
  relu,
  tanh,
  sigmoid,
  softplus,
  mish,
  gelu: (x: Tensor) => gelu(x),
  geluErf: (x: Tensor) => gelu(x, "erf"),
  silu: (x: Tensor) => silu(x),
  elu: (x: Tensor) => elu(x),
  leakyRelu: (x: Tensor) => leakyRelu(x),
  none: (x: Tensor) => x,
};

/** The name of an activation ("gelu" is the tanh form of GPT-2), or any function from tensor to tensor. */
export type Activation = keyof typeof named | ((x: Tensor) => Tensor);

/** The function of an {@link Activation}. */
export function activation(a: Activation): (x: Tensor) => Tensor {
  if (typeof a === "function") return a;
  return (
    named[a] ??
    fail(
      "activation",
      `unknown activation "${a}". Use one of ${Object.keys(named).join(", ")}, or a function.`,
    )
  );
}
