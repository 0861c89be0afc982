import { gelu, mul, random, silu, split, type Tensor } from "@reins/tensor";
import { type Initialiser, xavierUniform, zeros } from "../init/index.ts";
import type { Layer } from "../layer.ts";
import { type LinearParams, linear, project } from "./linear.ts";

/** `up` widens and `down` narrows; with a gate, `up` holds the gate and the value side by side. */
export type FeedForwardParams = { up: LinearParams; down: LinearParams };

/** Settings of {@link feedForward}. */
export interface FeedForwardOptions {
  /** Length of the last axis of input and output. */
  width: number;
  /** Hidden width. Larger is stronger and slower (4 × width for GELU, 8/3 × width for SwiGLU). */
  hidden: number;
  /** "gelu" (GPT-2), "swiglu" (Llama) or "geglu" (Gemma). */
  kind?: "gelu" | "swiglu" | "geglu";
  /** Whether there are biases (default true). */
  bias?: boolean;
  /** Initial weights. */
  weightInit?: Initialiser;
  /** Initial weights of the down projection (default `weightInit`). */
  outputInit?: Initialiser;
}

/** The position-wise feed-forward part of a transformer block. */
export function feedForward(options: FeedForwardOptions): Layer<FeedForwardParams> {
  const {
    width,
    hidden,
    kind = "gelu",
    bias = true,
    weightInit = xavierUniform(),
    outputInit = weightInit,
  } = options;
  const gated = kind !== "gelu";
  const up = linear({
    inputs: width,
    outputs: gated ? 2 * hidden : hidden,
    bias,
    weightInit,
    biasInit: zeros,
  });
  const down = linear({ inputs: hidden, outputs: width, bias, weightInit: outputInit, biasInit: zeros });
  const activate = (y: Tensor) => {
    if (!gated) return gelu(y);
    const [gate, value] = split(y, [hidden, hidden], -1);
    return mul(kind === "swiglu" ? silu(gate) : gelu(gate), value);
  };
  return {
    init(key) {
      const [k1, k2] = random.splitKey(key);
      return { up: up.init(k1), down: down.init(k2) };
    },
    apply: (params, x) => project(params.down, activate(project(params.up, x))),
  };
}
