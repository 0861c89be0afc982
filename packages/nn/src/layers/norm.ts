import {
  add,
  ones,
  type Tensor,
  layerNorm as tensorLayerNorm,
  rmsNorm as tensorRmsNorm,
  zeros,
} from "@reins/tensor";
import type { Layer } from "../layer.ts";

/** Scale and shift of a layer norm. */
export type LayerNormParams = { scale: Tensor; shift: Tensor };
/** Scale of an RMS norm. */
export type RmsNormParams = { scale: Tensor };

/** Zero mean and unit variance along the last axis, then a learned scale and shift. A larger `epsilon` damps small inputs more (1e-6 to 1e-5). */
export function layerNorm(width: number, epsilon = 1e-5): Layer<LayerNormParams> {
  return {
    init: () => ({ scale: ones([width]), shift: zeros([width]) }),
    apply: ({ scale, shift }, x) => tensorLayerNorm(x, scale, shift, epsilon),
  };
}

/**
 * Unit root mean square along the last axis, then a learned scale. A larger `epsilon` damps small inputs more (1e-6 to 1e-5). With `fromOne`
 * the parameter is the difference of the scale from 1, as in Gemma: weight decay then pulls the scale to 1.
 */
export function rmsNorm(width: number, epsilon = 1e-6, fromOne = false): Layer<RmsNormParams> {
  return {
    init: () => ({ scale: fromOne ? zeros([width]) : ones([width]) }),
    apply: ({ scale }, x) => tensorRmsNorm(x, fromOne ? add(scale, 1) : scale, epsilon),
  };
}
