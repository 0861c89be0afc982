import type { Color, Point, Rendering, RenderShape } from "@reins/core";
import type { Body } from "planck";
import { Canvas } from "../canvas.ts";
import { reach } from "./lidar.ts";
import { outline } from "./outline.ts";
import type { Terrain } from "./walker-terrain.ts";

/** State drawn of a walk. */
export interface WalkView {
  readonly terrain: Terrain;
  readonly body: Body;
  /** The upper and lower part of each leg. */
  readonly legs: readonly Body[];
  /** Length of each ray, as a fraction of its maximum. */
  readonly lidar: { readonly shares: ArrayLike<number> };
}

const [width, height, scale] = [600, 400, 30];
const sky: Color = "#ddf4ff";
const cloud: Color = "#ffffff";
const earth: Color = "#4ac26b";
const stone: Color = "#8c959f";
const hull: Color = "#0969da";
const [near, far]: Color[] = ["#24292f", "#57606a"];
const ray: Color = "#cf222e";

/** The walker near the left edge, the ground ahead, clouds at half speed, and its rays. */
export function walkerPicture({ terrain, body, legs, lidar }: WalkView): Rendering {
  const left = body.getPosition().x - width / scale / 5;
  const place = (x: number, y: number): Point => [(x - left) * scale, height - y * scale];
  const seen = ([x]: Point) => x > -30 && x < width + 30;
  const surface = terrain.points.map(([x, y]) => place(x, y)).filter(seen);
  const [first, last] = [surface[0], surface[surface.length - 1]];
  const clouds = terrain.clouds.map((corners) => corners.map(([x, y]) => place(x + left / 2, y)));
  const blocks = terrain.blocks.map((corners) => corners.map(([x, y]) => place(x, y)));
  const polygon =
    (color: Color) =>
    (points: readonly Point[]): RenderShape => ({ kind: "polygon", points, color });
  const shapes: RenderShape[] = [
    ...clouds.filter((c) => c.some(seen)).map(polygon(cloud)),
    polygon(earth)([[first[0], height], ...surface, [last[0], height]]),
    ...blocks.filter((b) => b.some(seen)).map(polygon(stone)),
    ...rays(body, lidar.shares, place),
    ...[legs[0], legs[1]].map((part) => polygon(far)(outline(part, place))),
    polygon(hull)(outline(body, place)),
    ...[legs[2], legs[3]].map((part) => polygon(near)(outline(part, place))),
  ];
  return { width, height, background: sky, shapes };
}

function rays(body: Body, shares: ArrayLike<number>, place: (x: number, y: number) => Point): RenderShape[] {
  const { x, y } = body.getPosition();
  return Array.from(shares, (share, i): RenderShape => {
    const turn = (1.5 * i) / shares.length;
    const way = share * reach;
    const end = place(x + Math.sin(turn) * way, y - Math.cos(turn) * way);
    return { kind: "line", points: [place(x, y), end], width: 1, color: ray };
  });
}

/** A text rendering of a walk. */
export function walkerText({ terrain, body, legs }: WalkView): string {
  const canvas = new Canvas(60, 18);
  const { x: here } = body.getPosition();
  const dot = (x: number, y: number): Point => [(x - here + 4) * 8, 90 - y * 11];
  const ring = (points: readonly Point[]) =>
    points.forEach(([x, y], i) => canvas.line(x, y, ...points[(i + 1) % points.length]));
  const { points } = terrain;
  for (let i = 1; i < points.length; i++) canvas.line(...dot(...points[i - 1]), ...dot(...points[i]));
  for (const block of terrain.blocks) ring(block.map(([x, y]) => dot(x, y)));
  for (const part of [body, ...legs]) ring(outline(part, dot));
  return `${canvas}\nway ${here.toFixed(1)}  speed ${body.getLinearVelocity().x.toFixed(2)}`;
}
