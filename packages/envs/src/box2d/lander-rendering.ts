import type { Color, Point, Rendering, RenderShape } from "@reins/core";
import type { Body } from "planck";
import { Canvas } from "../canvas.ts";
import { outline } from "./outline.ts";

/** State drawn of a landing. */
export interface LandingView {
  readonly ground: readonly (readonly [x: number, y: number])[];
  readonly body: Body;
  readonly legs: readonly Body[];
  /** Engine powers; positive for a side engine that pushes to the right. */
  readonly firing: { readonly main: number; readonly side: number };
}

const [width, height, scale] = [600, 400, 30];
const moon: Color = "#8c959f";
const hull: Color = "#0969da";
const leg: Color = "#24292f";
const flame: Color = "#bc4c00";
const flag: Color = "#1a7f37";

type Placing = (x: number, y: number) => Point;

/** Scale and position of the rendering: fixed, or zoomed out while the lander is above the usual view. */
function placing(body: Body): Placing {
  const size = Math.min(scale, (height - 30) / body.getPosition().y);
  const left = (width - (width / scale) * size) / 2;
  return (x, y) => [left + x * size, height - y * size];
}

/** The moon, two flags, the lander, and its exhaust. */
export function landerPicture(view: LandingView): Rendering {
  const { ground, body, legs } = view;
  const place = placing(body);
  const surface = ground.map(([x, y]) => place(x, y));
  const [first, last] = [surface[0], surface.at(-1)!];
  // The ground extends to both sides when zoomed out.
  const edge: Point[] = [[0, height], [0, first[1]], ...surface, [width, last[1]], [width, height]];
  const shapes: RenderShape[] = [
    { kind: "polygon", points: edge, color: moon },
    ...[4, 6].flatMap((chunk) => pennant(surface[chunk])),
    ...flames(view, place),
    ...legs.map((l): RenderShape => ({ kind: "polygon", points: outline(l, place), color: leg })),
    { kind: "polygon", points: outline(body, place), color: hull },
  ];
  return { width, height, shapes };
}

function pennant([x, y]: Point): RenderShape[] {
  const top = y - 50;
  return [
    {
      kind: "line",
      points: [
        [x, y],
        [x, top],
      ],
      width: 2,
      color: leg,
    },
    {
      kind: "polygon",
      points: [
        [x, top],
        [x + 25, top + 6],
        [x, top + 12],
      ],
      color: flag,
    },
  ];
}

function flames({ body, firing }: LandingView, place: Placing): RenderShape[] {
  const cone = (corners: readonly (readonly [x: number, y: number])[]): RenderShape => ({
    kind: "polygon",
    points: corners.map(([x, y]) => {
      const at = body.getWorldPoint({ x: x / scale, y: y / scale });
      return place(at.x, at.y);
    }),
    color: flame,
  });
  const shapes: RenderShape[] = [];
  if (firing.main)
    shapes.push(
      cone([
        [-7, -10],
        [7, -10],
        [0, -10 - 24 * firing.main],
      ]),
    );
  // The engine that pushes right is on the left, and its exhaust goes left.
  const side = -Math.sign(firing.side);
  if (side)
    shapes.push(
      cone([
        [14 * side, 16],
        [14 * side, 10],
        [14 * side - 16 * firing.side, 13],
      ]),
    );
  return shapes;
}

/** A text rendering of a landing. */
export function landerText({ ground, body, legs, firing }: LandingView): string {
  const canvas = new Canvas(60, 18);
  const dot = (x: number, y: number): Point => [x * 6, 70 - y * 5];
  const ring = (points: readonly Point[]) =>
    points.forEach(([x, y], i) => canvas.line(x, y, ...points[(i + 1) % points.length]));
  for (let i = 1; i < ground.length; i++) canvas.line(...dot(...ground[i - 1]), ...dot(...ground[i]));
  for (const chunk of [4, 6]) canvas.text(...dot(ground[chunk][0], ground[chunk][1] + 0.8), "⚑");
  for (const part of [body, ...legs]) ring(outline(part, dot));
  const on = [firing.main ? "main" : "", firing.side < 0 ? "left" : firing.side > 0 ? "right" : ""];
  const v = body.getLinearVelocity();
  return `${canvas}\nspeed ${v.x.toFixed(1)} ${v.y.toFixed(1)}  engines ${on.filter(Boolean).join(" ") || "off"}`;
}
