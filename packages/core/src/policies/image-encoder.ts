import type { Body } from "../body.ts";
import { nn } from "../nn.ts";
import type { Image } from "../space.ts";
import { imageBody } from "./image-body.ts";
import { imageNetwork } from "./image-network.ts";

/** Minimum extent of both sides of an image for the network of DQN. */
const large = 36;
/** Small images are halved until neither side is longer. */
const extent = 10;

/**
 * Encodes images of any size. From 36 × 36 it is the network of DQN (Mnih et al., 2015) with 512 features. Smaller or thinner images use
 * padded 3 × 3 kernels, so that even one pixel has a result: 16 channels at full resolution, as in the agents of
 * MinAtar (Young and Tian, 2019), then layers that halve both sides, rounded up, with twice the channels and at most 64, until neither
 * side is longer than 10; a linear layer maps the rest to 128 features.
 */
export function imageEncoder(image: Image): Body {
  const { height, width, channels } = image;
  const isLarge = height >= large && width >= large;
  const features = isLarge ? 512 : 128;
  const layer: nn.Layer = isLarge
    ? nn.natureCnn({ shape: [channels, height, width], outputs: features })
    : smallCnn(image, features);
  return imageBody(image, features, layer);
}

/** Convolutions for small images. */
function smallCnn(image: Image, features: number): nn.Layer {
  const { height, width, channels: inputs } = image;
  const [channels, strides] = [[16], [1]];
  for (let side = Math.max(height, width); side > extent; side = Math.ceil(side / 2)) {
    channels.push(Math.min(64, 2 * channels[channels.length - 1]));
    strides.push(2);
  }
  return imageNetwork({ inputs, height, width, channels, strides, kernel: 3, features });
}
