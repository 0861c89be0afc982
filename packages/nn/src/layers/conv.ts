import {
  add,
  type ConvOptions,
  random,
  reshape,
  type Tensor,
  conv1d as tensorConv1d,
  conv2d as tensorConv2d,
} from "@reins/tensor";
import { fans, type Initialiser, kaimingUniform, uniform } from "../init/index.ts";
import type { Layer } from "../layer.ts";

/** `weight` is [out, in, …window], as in PyTorch. */
export type ConvParams = { weight: Tensor; bias?: Tensor };

/** Settings of {@link conv2d} and {@link conv1d}. */
export interface ConvLayerOptions extends ConvOptions {
  /** Channels of the input. */
  inputs: number;
  /** Channels of the result. */
  outputs: number;
  /** Extent of the square window. Larger covers more context and costs more (3 to 8). */
  kernel: number;
  /** Whether a bias is added (default true). */
  bias?: boolean;
  /** Initial weights (default: PyTorch's). */
  weightInit?: Initialiser;
  /** Initial bias (default: uniform in ±1/√(inputs · window)). */
  biasInit?: Initialiser;
}

/** 2D convolution of [batch, channels, height, width]. */
export function conv2d(options: ConvLayerOptions): Layer<ConvParams> {
  return convolution(options, 2, tensorConv2d);
}

/** 1D convolution of [batch, channels, length]. */
export function conv1d(options: ConvLayerOptions): Layer<ConvParams> {
  return convolution(options, 1, tensorConv1d);
}

function convolution(
  options: ConvLayerOptions,
  axes: number,
  convolve: typeof tensorConv2d,
): Layer<ConvParams> {
  const {
    inputs,
    outputs,
    kernel,
    bias = true,
    weightInit = kaimingUniform(1 / Math.sqrt(3)),
    biasInit,
  } = options;
  const shape = [outputs, inputs, ...new Array<number>(axes).fill(kernel)];
  return {
    init(key) {
      const [k1, k2] = random.splitKey(key);
      const weight = weightInit(k1, shape);
      return bias
        ? { weight, bias: (biasInit ?? uniform(1 / Math.sqrt(fans(shape).in)))(k2, [outputs]) }
        : { weight };
    },
    apply(params, x) {
      const y = convolve(x, params.weight, options);
      return params.bias ? add(y, reshape(params.bias, [outputs, ...new Array<number>(axes).fill(1)])) : y;
    },
  };
}
