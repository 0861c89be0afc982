import type { Color, Point, Rendering, RenderShape } from "@reins/core";
import { Canvas } from "../canvas.ts";
import { type Car, carSize, wheels } from "./car.ts";
import type { Track } from "./track.ts";

/** State drawn of a drive. */
export interface DriveView {
  readonly track: Track;
  readonly car: Car;
  readonly visited: Uint8Array;
}

const [width, height, scale] = [480, 400, 5];
const grass: Color = "#aceebb";
const asphalt: Color = "#8c959f";
const driven: Color = "#6e7781";
const white: Color = "#ffffff";
const tyre: Color = "#24292f";
const paint: Color = "#cf222e";
const ink: Color = "#24292f";

/** The road around the car, with north up; visited tiles are darker. */
export function drivePicture({ track, car, visited }: DriveView): Rendering {
  const place = (x: number, y: number): Point => [
    width / 2 + (x - car.x) * scale,
    height / 2 - (y - car.y) * scale,
  ];
  const near = ([x, y]: Point) => x > -60 && y > -60 && x < width + 60 && y < height + 60;
  const { tiles, edges } = track;
  const corner = (side: number, t: number) => {
    const e = 4 * (side * tiles + (t % tiles));
    return place(edges[e], edges[e + 1]);
  };
  const shapes: RenderShape[] = [];
  for (let t = 0; t < tiles; t++) {
    const points = [corner(0, t), corner(0, t + 1), corner(1, t + 1), corner(1, t)];
    if (!points.some(near)) continue;
    shapes.push({ kind: "polygon", points, color: visited[t] ? driven : asphalt });
  }
  if (near(corner(0, 0)))
    shapes.push({ kind: "line", points: [corner(0, 0), corner(1, 0)], width: 4, color: white });
  shapes.push(...carShapes(car, place));
  shapes.push({
    kind: "text",
    text: `speed ${car.forward.toFixed(0)} m/s`,
    at: [12, height - 12],
    size: 8,
    color: ink,
  });
  return { width, height, background: grass, shapes };
}

function carShapes(car: Car, place: (x: number, y: number) => Point): RenderShape[] {
  const [cos, sin] = [Math.cos(car.angle), Math.sin(car.angle)];
  const at = (along: number, left: number): Point =>
    place(car.x + along * cos - left * sin, car.y + along * sin + left * cos);
  const [length, half] = carSize;
  const body = [at(length, half), at(length, -half), at(-length, -half), at(-length, half)];
  return [
    ...wheels.map(([along, left], w): RenderShape => {
      const turn = w < 2 ? car.steered : 0;
      const [a, l] = [0.5 * Math.cos(turn), 0.5 * Math.sin(turn)];
      return {
        kind: "line",
        points: [at(along - a, left - l), at(along + a, left + l)],
        width: 4,
        color: tyre,
      };
    }),
    { kind: "polygon", points: body, color: paint },
  ];
}

/** A text rendering of the whole road. */
export function driveText({ track, car }: DriveView): string {
  const canvas = new Canvas(60, 18);
  const dot = (x: number, y: number): Point => [60 + x * 0.5, 36 - y * 0.32];
  const { tiles, x, y } = track;
  for (let t = 0; t < tiles; t++) {
    const next = (t + 1) % tiles;
    canvas.line(...dot(x[t], y[t]), ...dot(x[next], y[next]));
  }
  canvas.text(...dot(car.x, car.y), "●");
  return `${canvas}\nspeed ${car.forward.toFixed(1)}  wheels on the road ${car.onRoad}`;
}
