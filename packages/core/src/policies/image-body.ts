import { permute, reshape, type Tensor } from "@reins/tensor";
import type { Body } from "../body.ts";
import type { nn } from "../nn.ts";
import type { Image } from "../space.ts";

/** Applies a layer on frames, [rows, channels, height, width], as a body with any leading axes. */
export function imageBody({ height, width, channels }: Image, features: number, layer: nn.Layer): Body {
  return {
    features,
    init: (key) => layer.init(key),
    apply(params, x, leading) {
      const image = x as Tensor;
      const before = image.shape.slice(0, leading);
      const frames = permute(reshape(image, [-1, height, width, channels]), [0, 3, 1, 2]);
      return reshape(layer.apply(params, frames), [...before, features]);
    },
  };
}
