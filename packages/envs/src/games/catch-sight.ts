import type { Body } from "@reins/core/policies";
import {
  add,
  cast,
  concat,
  eq,
  gt,
  max,
  min,
  mul,
  oneHot,
  random,
  reshape,
  slice,
  type Tensor,
  type Tree,
  where,
} from "@reins/tensor";

/** Image size of catch; it needs a margin, which shows only the color. */
export interface CatchSightOptions {
  readonly width: number;
  readonly height: number;
  readonly margin: number;
}

/** Reads the contents of catch images with pure colors, without learning. */
export interface CatchFeatures {
  /** The index of an episode's color, from 0 to 7: a bit each for red, green and blue. */
  color(observation: Tree): Tensor;
  /** Binary features as a good encoder would learn them: the ball's column and row, the paddle's column, the color. */
  encoder(): Body;
  /** The images in another random color. */
  repainted(observation: Tree, key: Tensor): Tree;
}

/** Reads images of catch: separates what depends on the color from what depends on ball and paddle. */
export function catchFeatures({ width, height, margin }: CatchSightOptions): CatchFeatures {
  const left = [margin, margin + width] as const;
  const last = margin + height - 1;
  const whites = (picture: Tensor) => eq(min(cast(picture, "i32"), -1), 255);
  const color = (observation: Tree): Tensor => {
    const { shape } = observation as Tensor;
    const corner = slice(observation as Tensor, [
      [0, shape[0]],
      [0, 1],
      [0, 1],
      [0, 3],
    ]);
    const bits = cast(gt(reshape(corner, [-1, 3]), 0), "i32");
    const bit = (i: number) => {
      const column = slice(bits, [
        [0, shape[0]],
        [i, i + 1],
      ]);
      return mul(reshape(column, [-1]), 2 ** i);
    };
    return add(bit(0), add(bit(1), bit(2)));
  };
  return {
    color,
    encoder: () => ({
      features: 2 * width + height - 1 + 8,
      // Nothing is learned, but auxiliary training of features expects weights.
      init: () => ({}),
      apply(_, observation) {
        const white = cast(whites(observation as Tensor), "f32");
        const lines = (from: number, to: number) =>
          slice(white, [[0, white.shape[0]], [from, to], [...left]]);
        const [ball, paddle] = [lines(margin, last), lines(last, last + 1)];
        return concat([max(ball, 1), max(ball, 2), max(paddle, 1), oneHot(color(observation), 8)], 1);
      },
    }),
    repainted(observation, key) {
      const picture = observation as Tensor;
      const [rows, high, wide] = picture.shape;
      const other = mul(random.randint(key, [rows, 1, 1, 3], 0, 2), 160);
      return where(reshape(whites(picture), [rows, high, wide, 1]), picture, cast(other, picture.dtype));
    },
  };
}
