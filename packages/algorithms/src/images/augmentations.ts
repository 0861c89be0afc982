import { fail } from "@reins/core";
import {
  add,
  and,
  cast,
  clamp,
  gather,
  ge,
  iota,
  lt,
  mul,
  random,
  type Tensor,
  type Tree,
  where,
  zeros,
} from "@reins/tensor";
import type { Augmentation } from "./augment.ts";

/** Shifts each image by up to `pixels` in both directions; edge pixels are repeated (DrQ: Kostrikov et al., 2021). */
export function randomShift(pixels = 1): Augmentation {
  if (!Number.isInteger(pixels) || pixels < 1)
    fail("randomShift", `pixels is ${pixels}. Use a whole number from 1.`);
  return onImages("randomShift", (picture, key) => {
    const [rows, height, width] = picture.shape;
    const [down, aside] = random.splitKey(key);
    const offset = (k: Tensor) => random.randint(k, [rows, 1, 1, 1], -pixels, pixels + 1);
    const lines = clamp(add(iota([1, height, 1, 1], 1), offset(down)), 0, height - 1);
    const columns = clamp(add(iota([1, 1, width, 1], 2), offset(aside)), 0, width - 1);
    return gather(gather(picture, lines, 1), columns, 2);
  });
}

/** Blackens a square of this side at a random place in each image (DeVries and Taylor, 2017). */
export function cutout(side = 2): Augmentation {
  if (!Number.isInteger(side) || side < 1) fail("cutout", `side is ${side}. Use a whole number from 1.`);
  return onImages("cutout", (picture, key) => {
    const [rows, height, width] = picture.shape;
    const [above, left] = random.splitKey(key);
    const within = (k: Tensor, at: Tensor) => {
      const first = random.randint(k, [rows, 1, 1, 1], 0, Math.max(1, at.size - side + 1));
      return and(ge(at, first), lt(at, add(first, side)));
    };
    const hidden = and(within(above, iota([1, height, 1, 1], 1)), within(left, iota([1, 1, width, 1], 2)));
    return where(hidden, zeros([], picture.dtype), picture);
  });
}

/**
 * Changes the colors of each image: channels are randomly scaled and shifted, by up to `strength` of the full
 * range.
 */
export function randomColor(strength = 0.5): Augmentation {
  if (!(strength > 0 && strength <= 1))
    fail("randomColor", `strength is ${strength}. Use a number above 0 and at most 1.`);
  return onImages("randomColor", (picture, key) => {
    const [rows, , , channels] = picture.shape;
    const [scale, raise] = random.splitKey(key);
    const chance = (k: Tensor, low: number, high: number) =>
      random.uniform(k, [rows, 1, 1, channels], low, high);
    const bright = add(
      mul(cast(picture, "f32"), chance(scale, 1 - strength, 1)),
      chance(raise, 0, 255 * strength),
    );
    return cast(clamp(bright, 0, 255), picture.dtype);
  });
}

/** Applies augmentations one after another. */
export const sequential =
  (...all: readonly Augmentation[]): Augmentation =>
  (observation, key) =>
    all.reduce((seen, augment, i) => augment(seen, random.foldKey(key, i)), observation);

/** Applies to images, rows × height × width × channels, and fails for other observations. */
const onImages =
  (name: string, change: (picture: Tensor, key: Tensor) => Tensor): Augmentation =>
  (observation: Tree, key) => {
    const picture = observation as Tensor;
    if (picture.shape?.length !== 4)
      fail(
        name,
        "it augments images, and these observations are not images. Pass a custom function as augment.",
      );
    return change(picture, key);
  };
