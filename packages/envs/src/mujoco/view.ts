import type { Color, Drawing, Point, Shape } from "@reins/core";
import { Canvas } from "../canvas.ts";
import type { Simulation } from "./simulation.ts";

/** From where a model is drawn. */
export interface View {
  /** "side" shows x and z, "top" x and y. */
  readonly from: "side" | "top";
  /** Metres across the picture. */
  readonly across: number;
  /** Metres at the middle of the picture. */
  readonly middle: readonly [x: number, y: number];
  /** The picture stays with the first body that moves. */
  readonly follows?: boolean;
}

/** A geom as it is drawn: a thick line, which is a circle where both ends are one point. In pixels. */
interface Mark {
  readonly from: Point;
  readonly to: Point;
  readonly radius: number;
  readonly body: number;
}

const [planeType, sphereType, capsuleType, cylinderType] = [0, 2, 3, 5];
const ground: Color = "#8c959f";
const colors: readonly Color[] = ["#8c959f", "#0969da", "#bc4c00", "#1a7f37", "#8250df", "#bf8700"];

/** The picture of a row whose state is in the simulation. */
export function mujocoPicture(now: Simulation, view: View): Drawing {
  const [width, height] = [480, 270];
  const shapes: Shape[] = [];
  const { marks, floor } = marksOf(now, view, width, height, width / view.across);
  if (floor !== undefined)
    shapes.push({
      kind: "line",
      points: [
        [0, floor],
        [width, floor],
      ],
      width: 2,
      color: ground,
    });
  for (const { from, to, radius, body } of marks) {
    const color = colors[body === 0 ? 0 : 1 + ((body - 1) % (colors.length - 1))];
    shapes.push({ kind: "circle", center: from, radius, color });
    if (from[0] === to[0] && from[1] === to[1]) continue;
    shapes.push({ kind: "line", points: [from, to], width: 2 * radius, color });
    shapes.push({ kind: "circle", center: to, radius, color });
  }
  return { width, height, shapes };
}

/** The same in lines of text. */
export function mujocoText(now: Simulation, view: View): string {
  const canvas = new Canvas(64, 18);
  const { marks, floor } = marksOf(now, view, 128, 72, 128 / view.across);
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

/** Every geom of the model where it is now. */
function marksOf(now: Simulation, view: View, width: number, height: number, scale: number) {
  const { geom_type: types, geom_size: sizes, geom_bodyid: bodies, ngeom } = now.model;
  const { geomXpos: at, geomXmat: turned, xpos } = now.arrays;
  const up = view.from === "side" ? 2 : 1;
  const [middleX, middleY] = view.middle;
  const centerX = middleX + (view.follows ? xpos[3] : 0);
  const centerY = middleY + (view.follows && view.from === "top" ? xpos[4] : 0);
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
    const long = type === capsuleType || type === cylinderType ? sizes[3 * geom + 1] : 0;
    // Other kinds than balls and sticks are drawn as the ball that holds their first size.
    const radius = Math.max(type === sphereType ? 0.5 : 1, sizes[3 * geom] * scale);
    // The geom's own z axis is the third column of its rotation.
    const [dx, dy] = [turned[9 * geom + 2] * long, turned[9 * geom + 3 * up + 2] * long];
    marks.push({ from: pixel(x - dx, y - dy), to: pixel(x + dx, y + dy), radius, body: bodies[geom] });
  }
  return { marks, floor };
}
