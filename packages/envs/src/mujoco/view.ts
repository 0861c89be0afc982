import type { Color, Point, Rendering, RenderShape } from "@reins/core";
import { Canvas } from "../canvas.ts";
import type { Simulation } from "./simulation.ts";

/** Camera of a model. */
export interface View {
  /** "side" shows x and z, "top" x and y. */
  readonly from: "side" | "top";
  /** Metres across the image. */
  readonly across: number;
  /** Metres at the centre of the image. */
  readonly middle: readonly [x: number, y: number];
  /** Whether the camera follows the first moving body. */
  readonly follows?: boolean;
}

/** A drawn geom: a thick line, which is a circle where both ends coincide. In pixels. */
interface Mark {
  readonly from: Point;
  readonly to: Point;
  readonly radius: number;
  readonly body: number;
  /** Its depth. */
  readonly near: number;
}

/** Geom types, with MuJoCo's numbers. */
const [planeType, capsuleType, cylinderType] = [0, 3, 5];
const ground: Color = "#8c959f";
const colors: readonly Color[] = ["#8c959f", "#0969da", "#bc4c00", "#1a7f37", "#8250df", "#bf8700"];

/** The rendering of a row whose state is in the simulation. */
export function mujocoPicture(now: Simulation, view: View): Rendering {
  const [width, height] = [480, 270];
  const shapes: RenderShape[] = [];
  const { marks, floor, metres } = marksOf(now, view, width, height);
  const line = (color: Color, thick: number, ...points: Point[]) =>
    shapes.push({ kind: "line", points, width: thick, color });
  const disc = (color: Color, center: Point, radius: number) =>
    shapes.push({ kind: "circle", center, radius, color });
  if (floor !== undefined) line(ground, 2, [0, floor], [width, floor]);
  // Without them motion would be invisible where the camera follows.
  for (const [x, y] of metres)
    if (floor === undefined) disc(ground, [x, y], 1.5);
    else line(ground, 2, [x, floor], [x, floor + 6]);
  for (const { from, to, radius, body } of marks) {
    const color = colors[body === 0 ? 0 : 1 + ((body - 1) % (colors.length - 1))];
    disc(color, from, radius);
    if (from[0] === to[0] && from[1] === to[1]) continue;
    line(color, 2 * radius, from, to);
    disc(color, to, radius);
  }
  return { width, height, shapes };
}

/** A text rendering of the row. */
export function mujocoText(now: Simulation, view: View): string {
  const canvas = new Canvas(64, 18);
  const { marks, floor } = marksOf(now, view, 128, 72);
  if (floor !== undefined) canvas.line(0, floor, 127, floor);
  for (const { from, to, radius } of marks) {
    const steps = Math.max(1, Math.ceil(Math.hypot(to[0] - from[0], to[1] - from[1])));
    for (let i = 0; i <= steps; i++)
      canvas.disc(
        from[0] + ((to[0] - from[0]) * i) / steps,
        from[1] + ((to[1] - from[1]) * i) / steps,
        radius,
      );
  }
  return String(canvas);
}

/** Every geom of the model at its current position, the farthest first; the ground; and markers one metre apart. */
function marksOf(now: Simulation, view: View, width: number, height: number) {
  const { geom_type: types, geom_size: sizes, geom_bodyid: bodies, ngeom } = now.model;
  const { geomXpos: at, geomXmat: turned, xpos } = now.arrays;
  const [up, depth, toward] = view.from === "side" ? [2, 1, -1] : [1, 2, 1];
  const scale = width / view.across;
  const centerX = view.middle[0] + (view.follows ? xpos[3] : 0);
  const centerY = view.middle[1] + (view.follows && view.from === "top" ? xpos[4] : 0);
  const pixel = (x: number, y: number): Point => [
    width / 2 + (x - centerX) * scale,
    height / 2 - (y - centerY) * scale,
  ];
  const marks: Mark[] = [];
  let floor: number | undefined;
  for (let geom = 0; geom < ngeom; geom++) {
    const [x, y] = [at[3 * geom], at[3 * geom + up]];
    const type = types[geom];
    if (type === planeType) {
      if (view.from === "side") floor = pixel(x, y)[1];
      continue;
    }
    // Geoms other than spheres and capsules are drawn as a sphere of their first size.
    const long = type === capsuleType || type === cylinderType ? sizes[3 * geom + 1] : 0;
    // The geom's own z axis is the third column of its rotation.
    const [dx, dy] = [turned[9 * geom + 2] * long, turned[9 * geom + 3 * up + 2] * long];
    marks.push({
      from: pixel(x - dx, y - dy),
      to: pixel(x + dx, y + dy),
      radius: Math.max(0.5, sizes[3 * geom] * scale),
      body: bodies[geom],
      near: toward * at[3 * geom + depth],
    });
  }
  marks.sort((a, b) => a.near - b.near);
  return { marks, floor, metres: view.follows ? metresOf(view, pixel, centerX, centerY) : [] };
}

/** Whole metres in the image: on a line from the side, on a grid from the top. */
function metresOf(
  view: View,
  pixel: (x: number, y: number) => Point,
  centerX: number,
  centerY: number,
): Point[] {
  const around = (center: number) => {
    const half = Math.ceil(view.across / 2);
    return Array.from({ length: 2 * half + 1 }, (_, i) => Math.round(center) - half + i);
  };
  const ys = view.from === "side" ? [0] : around(centerY);
  return around(centerX).flatMap((x) => ys.map((y) => pixel(x, y)));
}
