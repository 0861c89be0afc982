import { cast, mul, permute, random, reshape, type Tensor, type Tree } from "@reins/tensor";
import type { Body } from "../body.ts";
import { nn } from "../nn.ts";
import type { Image } from "../space.ts";

/** From this extent on, on both sides, a picture is large enough for the network of DQN. */
const large = 36;
/** A small picture is halved until neither side is longer. */
const extent = 10;

/**
 * Looks at pictures of any size. From 36 × 36 on by the network of DQN (Mnih et al., 2015): 512 features. Smaller or thinner ones by
 * windows of 3 × 3 with a margin, so that even one pixel has a result: 16 channels as large as the picture, which is what MinAtar's
 * agents have (Young and Tian, 2019), then layers that halve both sides, rounded up, with twice the channels and at most 64, until neither
 * side is longer than 10; a linear layer makes 128 features of what is left.
 */
export function pictureEncoder({ height, width, channels }: Image): Body {
  const isLarge = height >= large && width >= large;
  const features = isLarge ? 512 : 128;
  const eyes: nn.Layer = isLarge
    ? nn.natureCnn({ shape: [channels, height, width], outputs: features })
    : smallCnn(channels, height, width, features);
  return {
    features,
    init: (key) => eyes.init(key),
    apply(params, x, leading) {
      const image = x as Tensor;
      const before = image.shape.slice(0, leading);
      const frames = permute(reshape(image, [-1, height, width, channels]), [0, 3, 1, 2]);
      return reshape(eyes.apply(params, frames), [...before, features]);
    },
  };
}

/** Convolutions for small pictures, from [rows, channels, height, width] in bytes to features. */
function smallCnn(channels: number, height: number, width: number, features: number): nn.Layer {
  const first = { weightInit: nn.init.orthogonal(Math.SQRT2), biasInit: nn.init.zeros };
  const convolutions: nn.Layer[] = [];
  let [inputs, outputs, tall, wide, stride] = [channels, 16, height, width, 1];
  do {
    convolutions.push(nn.conv2d({ inputs, outputs, kernel: 3, padding: 1, stride, ...first }));
    [tall, wide] = [Math.ceil(tall / stride), Math.ceil(wide / stride)];
    [inputs, outputs, stride] = [outputs, Math.min(64, 2 * outputs), 2];
  } while (Math.max(tall, wide) > extent);
  const last = nn.linear({ inputs: inputs * tall * wide, outputs: features, ...first });
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
        (x, c, i) => c.apply(own.convolutions[i], x).relu(),
        mul(cast(bytes, "f32"), 1 / 255),
      );
      return last.apply(own.output, reshape(seen, [seen.shape[0], -1])).relu();
    },
  };
}
