import type { Color, Point, Rendering, RenderShape } from "@reins/core";
import type { LinkTree } from "./link-tree.ts";
import { type Motion, placeOf } from "./motion.ts";

/** Camera of a physics environment. */
export interface View {
  /** Metres across the image. */
  readonly across: number;
  /** Metres at the centre of the image. */
  readonly middle: readonly [x: number, z: number];
  /** Whether the camera follows the first link. */
  readonly follows?: boolean;
  /** Whether there is ground at z = 0. */
  readonly ground?: boolean;
}

/** Maps a world point to the image. */
export type Pixel = (x: number, z: number) => Point;

const [width, height] = [480, 270];
const ground: Color = "#8c959f";
const colors: readonly Color[] = ["#0969da", "#bc4c00", "#1a7f37", "#8250df", "#bf8700"];

/** A body as its capsules, with the ground under it. The motion is of plain numbers. */
export function bodyPicture(
  tree: LinkTree,
  motion: Motion,
  view: View,
  scenery: (pixel: Pixel, scale: number) => readonly RenderShape[],
): Rendering {
  const scale = width / view.across;
  const middle = view.middle[0] + (view.follows ? (motion.bases[0].x as number) : 0);
  const pixel: Pixel = (x, z) => [
    width / 2 + (x - middle) * scale,
    height / 2 - (z - view.middle[1]) * scale,
  ];
  const shapes: RenderShape[] = [
    ...(view.ground ? groundShapes(pixel, middle, view.across) : []),
    ...scenery(pixel, scale),
  ];
  // The last links are behind: a walker's second leg is farther away.
  for (let k = tree.links.length - 1; k >= 0; k--)
    for (const { from, to, radius } of tree.links[k].shapes ?? []) {
      const [a, b] = [from, to].map((end) => {
        const { x, z } = placeOf(motion, k, end);
        return pixel(x as number, z as number);
      });
      shapes.push(...stick(a, b, radius * scale, colors[k % colors.length]));
    }
  return { width, height, shapes };
}

/** A thick line with round ends. */
export function stick(a: Point, b: Point, radius: number, color: Color): RenderShape[] {
  const ball = (center: Point): RenderShape => ({ kind: "circle", center, radius, color });
  if (a[0] === b[0] && a[1] === b[1]) return [ball(a)];
  return [ball(a), { kind: "line", points: [a, b], width: 2 * radius, color }, ball(b)];
}

/** The ground, with a mark at every metre: without marks motion would be invisible where the camera follows. */
function groundShapes(pixel: Pixel, middle: number, across: number): RenderShape[] {
  const low = pixel(0, 0)[1];
  const half = Math.ceil(across / 2);
  const marks = Array.from({ length: 2 * half + 1 }, (_, i): RenderShape => {
    const x = pixel(Math.round(middle) - half + i, 0)[0];
    return {
      kind: "line",
      points: [
        [x, low],
        [x, low + 6],
      ],
      width: 2,
      color: ground,
    };
  });
  return [
    {
      kind: "line",
      points: [
        [0, low],
        [width, low],
      ],
      width: 2,
      color: ground,
    },
    ...marks,
  ];
}
