import type { Body } from "../body.ts";
import { nn } from "../nn.ts";
import type { Image } from "../space.ts";
import { eyes } from "./eyes.ts";
import { onFrames } from "./on-frames.ts";

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
export function pictureEncoder(image: Image): Body {
  const { height, width, channels } = image;
  const isLarge = height >= large && width >= large;
  const features = isLarge ? 512 : 128;
  const eyes: nn.Layer = isLarge
    ? nn.natureCnn({ shape: [channels, height, width], outputs: features })
    : smallCnn(image, features);
  return onFrames(image, features, eyes);
}

/** Convolutions for small pictures. */
function smallCnn(image: Image, features: number): nn.Layer {
  const { height, width, channels: inputs } = image;
  const [channels, strides] = [[16], [1]];
  for (let side = Math.max(height, width); side > extent; side = Math.ceil(side / 2)) {
    channels.push(Math.min(64, 2 * channels[channels.length - 1]));
    strides.push(2);
  }
  return eyes({ inputs, height, width, channels, strides, kernel: 3, features });
}
