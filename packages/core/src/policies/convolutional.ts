import type { NetworkMaker } from "../body.ts";
import { fail } from "../errors.ts";
import { eyes, leftOf } from "./eyes.ts";
import { onFrames } from "./on-frames.ts";

/** Settings of {@link convolutional}. */
export interface ConvolutionalOptions {
  /** Channels of the convolutions, one for each. More see more and cost more ([8] to [32, 64, 64]). */
  readonly channels?: readonly number[];
  /** Pixels that windows move by; 2 halves both sides. One number for all of them. */
  readonly stride?: number;
  /** Side of the square windows. */
  readonly kernel?: number;
  /** Length of what a linear layer makes of what is left. */
  readonly features?: number;
}

/** Convolutions of one's own for pictures, where the usual ones are too large or too small: `encoder: convolutional({ channels: [8] })`. */
export function convolutional({
  channels = [16, 32],
  stride = 2,
  kernel = 3,
  features = 64,
}: ConvolutionalOptions = {}): NetworkMaker {
  return ({ space }) => {
    if (space.kind !== "image")
      return fail("convolutional", "it looks at pictures, and these observations are none. Leave it out.");
    const { height, width } = space;
    const shape = { height, width, kernel, channels, strides: channels.map(() => stride), features };
    if (!(leftOf(height, shape) > 0 && leftOf(width, shape) > 0))
      fail(
        "convolutional",
        `nothing is left of ${height} × ${width} pixels. Give fewer convolutions, or a smaller stride.`,
      );
    return onFrames(space, features, eyes({ ...shape, inputs: space.channels }));
  };
}
