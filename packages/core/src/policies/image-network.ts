import { cast, mul, random, reshape, type Tree } from "@reins/tensor";
import { nn } from "../nn.ts";

/** Convolutions with these channels and one kernel size; `inputs` are the image's channels, and each has its own stride. */
export interface ImageNetworkOptions {
  readonly inputs: number;
  readonly height: number;
  readonly width: number;
  readonly channels: readonly number[];
  readonly strides: readonly number[];
  readonly kernel: number;
  /** Output size of the linear layer after the convolutions. */
  readonly features: number;
}

/** Output extent of a convolution with a padding of half its kernel. */
export const outputExtent = (
  extent: number,
  { kernel, strides }: Pick<ImageNetworkOptions, "kernel" | "strides">,
): number => strides.reduce((n, stride) => Math.floor((n + 2 * (kernel >> 1) - kernel) / stride) + 1, extent);

/** Convolutions and a linear layer, each followed by ReLU: from [rows, channels, height, width] in bytes to features. */
export function imageNetwork(o: ImageNetworkOptions): nn.Layer {
  const { kernel, channels, strides } = o;
  const first = { weightInit: nn.init.orthogonal(Math.SQRT2), biasInit: nn.init.zeros };
  const convolutions = channels.map((outputs, i) =>
    nn.conv2d({
      ...{
        inputs: i ? channels[i - 1] : o.inputs,
        outputs,
        kernel,
        padding: kernel >> 1,
        stride: strides[i],
      },
      ...first,
    }),
  );
  const inputs = (channels.at(-1) ?? o.inputs) * outputExtent(o.height, o) * outputExtent(o.width, o);
  const last = nn.linear({ inputs, outputs: o.features, ...first });
  return {
    init(key) {
      const keys = random.splitKey(key, convolutions.length + 1);
      return {
        convolutions: convolutions.map((c, i) => c.init(keys[i])),
        output: last.init(keys[convolutions.length]),
      };
    },
    apply(params, bytes) {
      const own = params as { readonly convolutions: readonly Tree[]; readonly output: nn.LinearParams };
      const seen = convolutions.reduce(
        (x, c, i) => c.apply(own.convolutions[i] as nn.ConvParams, x).relu(),
        mul(cast(bytes, "f32"), 1 / 255),
      );
      return last.apply(own.output, reshape(seen, [seen.shape[0], -1])).relu();
    },
  };
}
