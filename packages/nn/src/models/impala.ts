import { add, maxPool2d, pad, random, relu, type Tensor } from "@reins/tensor";
import { orthogonal, zeros } from "../init/index.ts";
import type { Layer } from "../layer.ts";
import { type ConvParams, conv2d } from "../layers/conv.ts";
import { type LinearParams, linear } from "../layers/linear.ts";
import { extentAfter, flatten, type ImageShape, pixels } from "./pixels.ts";

/** Each section has a convolution, and two residual blocks of two more. */
export type ImpalaCnnParams = {
  sections: { convolution: ConvParams; residual: ConvParams[] }[];
  output: LinearParams;
};

/** Settings of {@link impalaCnn}. */
export interface ImpalaCnnOptions {
  /** Channels, height and width of the images. */
  shape: ImageShape;
  /** Channels of the sections, each of which halves the image. Wider ones generalise better and cost more (default [16, 32, 32]). */
  channels?: readonly number[];
  /** Number of output features (default 256). */
  outputs?: number;
}

/** The residual network of IMPALA (Espeholt et al., 2018), from images to features. Images are f32, or bytes, which are scaled to 0 … 1. */
export function impalaCnn({
  shape,
  channels = [16, 32, 32],
  outputs = 256,
}: ImpalaCnnOptions): Layer<ImpalaCnnParams> {
  const weightInit = orthogonal(Math.SQRT2);
  const same = (inputs: number, n: number) =>
    conv2d({ inputs, outputs: n, kernel: 3, padding: 1, weightInit, biasInit: zeros });
  const sections = channels.map((n, i) => ({
    convolution: same(i ? channels[i - 1] : shape[0], n),
    residual: [same(n, n), same(n, n), same(n, n), same(n, n)],
  }));
  const [height, width] = [shape[1], shape[2]].map((d) => channels.reduce((n) => extentAfter(n, 3, 2, 1), d));
  const output = linear({
    inputs: channels[channels.length - 1] * height * width,
    outputs,
    weightInit,
    biasInit: zeros,
  });
  return {
    init(key) {
      const keys = random.splitKey(key, sections.length + 1);
      return {
        sections: sections.map((s, i) => {
          const own = random.splitKey(keys[i], 5);
          return {
            convolution: s.convolution.init(own[4]),
            residual: s.residual.map((c, k) => c.init(own[k])),
          };
        }),
        output: output.init(keys[sections.length]),
      };
    },
    apply(params, x) {
      const y = sections.reduce(
        (z, s, i) => {
          const p = params.sections[i];
          const part = (k: number, t: Tensor) => s.residual[k].apply(p.residual[k], relu(t));
          const pooled = halve(s.convolution.apply(p.convolution, z));
          const first = add(pooled, part(1, part(0, pooled)));
          return add(first, part(3, part(2, first)));
        },
        pixels(x, shape, "impalaCnn"),
      );
      return relu(output.apply(params.output, relu(flatten(y))));
    },
  };
}

/** Max pooling with 3 × 3 windows and stride 2; the padding never wins. */
function halve(x: Tensor): Tensor {
  return maxPool2d(
    pad(
      x,
      [
        [0, 0],
        [0, 0],
        [1, 1],
        [1, 1],
      ],
      -3e38,
    ),
    3,
    2,
  );
}
