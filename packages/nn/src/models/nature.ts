import { random, relu } from "@reins/tensor";
import { fail, show } from "../errors.ts";
import { orthogonal, zeros } from "../init/index.ts";
import type { Layer } from "../layer.ts";
import { type ConvParams, conv2d } from "../layers/conv.ts";
import { type LinearParams, linear } from "../layers/linear.ts";
import { extentAfter, flatten, type ImageShape, pixels } from "./pixels.ts";

/** Three convolutions and a linear layer. */
export type NatureCnnParams = { convolutions: ConvParams[]; output: LinearParams };

/** Settings of {@link natureCnn}. */
export interface NatureCnnOptions {
  /** Channels, height and width of the images; at least 36 × 36. Atari has [4, 84, 84]. */
  shape: ImageShape;
  /** Number of output features (default 512). */
  outputs?: number;
}

const layout = [
  { outputs: 32, kernel: 8, stride: 4 },
  { outputs: 64, kernel: 4, stride: 2 },
  { outputs: 64, kernel: 3, stride: 1 },
];

/** The network of DQN (Mnih et al., 2015), from images to features. Images are f32, or bytes, which are scaled to 0 … 1. */
export function natureCnn({ shape, outputs = 512 }: NatureCnnOptions): Layer<NatureCnnParams> {
  const weightInit = orthogonal(Math.SQRT2);
  const convolutions = layout.map((l, i) =>
    conv2d({ ...l, inputs: i ? layout[i - 1].outputs : shape[0], weightInit, biasInit: zeros }),
  );
  const [height, width] = [shape[1], shape[2]].map((d) =>
    layout.reduce((n, l) => extentAfter(n, l.kernel, l.stride), d),
  );
  if (!(height > 0 && width > 0))
    fail(
      "natureCnn",
      `images of ${show(shape)} are too small: the minimum is 36 × 36. Use impalaCnn() or an mlp().`,
    );
  const output = linear({ inputs: 64 * height * width, outputs, weightInit, biasInit: zeros });
  return {
    init(key) {
      const keys = random.splitKey(key, 4);
      return { convolutions: convolutions.map((c, i) => c.init(keys[i])), output: output.init(keys[3]) };
    },
    apply(params, x) {
      const y = convolutions.reduce(
        (z, c, i) => relu(c.apply(params.convolutions[i], z)),
        pixels(x, shape, "natureCnn"),
      );
      return relu(output.apply(params.output, flatten(y)));
    },
  };
}
