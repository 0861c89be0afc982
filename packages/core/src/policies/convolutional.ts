import type { NetworkMaker } from "../body.ts";
import { fail } from "../errors.ts";
import { imageBody } from "./image-body.ts";
import { imageNetwork, outputExtent } from "./image-network.ts";

/** Settings of {@link convolutional}. */
export interface ConvolutionalOptions {
  /** Channels of the convolutions, one entry each. More increases capacity and cost ([8] to [32, 64, 64]). */
  readonly channels?: readonly number[];
  /** Stride of all convolutions; 2 halves both sides. */
  readonly stride?: number;
  /** Kernel size (square). */
  readonly kernel?: number;
  /** Output size of the linear layer after the convolutions. */
  readonly features?: number;
}

/** Custom convolutions for images, if the defaults are too large or too small: `encoder: convolutional({ channels: [8] })`. */
export function convolutional({
  channels = [16, 32],
  stride = 2,
  kernel = 3,
  features = 64,
}: ConvolutionalOptions = {}): NetworkMaker {
  return ({ space }) => {
    if (space.kind !== "image") return fail("convolutional", "observations are not images. Leave it out.");
    const { height, width } = space;
    const shape = { height, width, kernel, channels, strides: channels.map(() => stride), features };
    if (!(outputExtent(height, shape) > 0 && outputExtent(width, shape) > 0))
      fail(
        "convolutional",
        `no pixels are left of ${height} × ${width}. Use fewer convolutions or a smaller stride.`,
      );
    return imageBody(space, features, imageNetwork({ ...shape, inputs: space.channels }));
  };
}
