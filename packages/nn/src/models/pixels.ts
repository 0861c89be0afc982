import { cast, mul, reshape, type Tensor } from "@reins/tensor";
import { fail, show } from "../errors.ts";

/** Shape of an image: channels, height, width. */
export type ImageShape = readonly [channels: number, height: number, width: number];

/** Images [batch, channels, height, width] as f32: bytes are scaled to 0 … 1. */
export function pixels(x: Tensor, shape: ImageShape, where: string): Tensor {
  if (x.rank !== 4 || shape.some((d, i) => d !== x.shape[i + 1])) {
    fail(where, `expects images [batch, ${shape.join(", ")}], but got ${show(x.shape)}.`);
  }
  return x.dtype === "u8" ? mul(cast(x, "f32"), 1 / 255) : x;
}

/** [batch, …] as [batch, features]. */
export function flatten(x: Tensor): Tensor {
  return reshape(x, [x.shape[0], -1]);
}

/** The number of positions of a window of `kernel`. */
export function extentAfter(extent: number, kernel: number, stride: number, padding = 0): number {
  return Math.floor((extent + 2 * padding - kernel) / stride) + 1;
}
