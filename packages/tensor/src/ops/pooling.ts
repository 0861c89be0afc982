import type { Tensor } from "../tensor.ts";
import { windows } from "./movement.ts";
import { max, mean } from "./reduce.ts";

/** The largest element of each `size` × `size` window of [batch, channels, height, width]. */
export function maxPool2d(x: Tensor, size: number, stride = size): Tensor {
  return max(windows(windows(x, 2, size, stride), 4, size, stride), [3, 5]);
}

/** The mean of each window of [batch, channels, height, width]. */
export function avgPool2d(x: Tensor, size: number, stride = size): Tensor {
  return mean(windows(windows(x, 2, size, stride), 4, size, stride), [3, 5]);
}
