import type { Color, Point, Rendering, RenderShape } from "@reins/core";
import { advance, capitals, letterStrokes } from "./font.ts";

/** Pixels, three bytes each (red, green, blue), line by line. */
export interface Raster {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

type Rgb = readonly [red: number, green: number, blue: number];

/** Rasterises a rendering with anti-aliasing: the coverage of a pixel is the area of the shape inside it. */
export function rasterise({ width, height, background = "#ffffff", shapes }: Rendering, scale = 1): Raster {
  const raster: Raster = {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
    data: new Uint8Array(
      3 * Math.max(1, Math.round(width * scale)) * Math.max(1, Math.round(height * scale)),
    ),
  };
  const paper = rgbOf(background);
  for (let i = 0; i < raster.data.length; i++) raster.data[i] = paper[i % 3];
  for (const shape of shapes) paint(raster, shape, scale);
  return raster;
}

function paint(raster: Raster, shape: RenderShape, scale: number): void {
  const color = rgbOf(shape.color);
  const scaled = ([x, y]: Point): Point => [x * scale, y * scale];
  switch (shape.kind) {
    case "circle":
      return stroke(raster, [scaled(shape.center)], shape.radius * scale, color);
    case "line":
      return stroke(raster, shape.points.map(scaled), (shape.width * scale) / 2, color);
    case "polygon":
      return fill(raster, shape.points.map(scaled), color);
    case "text": {
      const unit = (shape.size * scale) / capitals;
      const [left, base] = scaled(shape.at);
      [...shape.text].forEach((letter, i) => {
        for (const points of letterStrokes(letter)) {
          const placed = points.map(
            ([x, y]): Point => [left + (i * advance + x) * unit, base + (y - capitals) * unit],
          );
          stroke(raster, placed, Math.max(0.5, unit * 0.42), color);
        }
      });
    }
  }
}

/** A line with round ends; a single point is a disc. Overlapping parts cover a pixel once. */
function stroke(raster: Raster, points: readonly Point[], radius: number, color: Rgb): void {
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y);
  const reach = radius + 1;
  const from = { x: Math.floor(Math.min(...xs) - reach), y: Math.floor(Math.min(...ys) - reach) };
  const to = { x: Math.ceil(Math.max(...xs) + reach), y: Math.ceil(Math.max(...ys) + reach) };
  for (let y = Math.max(0, from.y); y < Math.min(raster.height, to.y); y++)
    for (let x = Math.max(0, from.x); x < Math.min(raster.width, to.x); x++) {
      let near = Number.POSITIVE_INFINITY;
      for (let i = 0; i < points.length; i++)
        near = Math.min(near, distance(x + 0.5, y + 0.5, points[i], points[i + 1] ?? points[i]));
      blend(raster, x, y, color, radius - near + 0.5);
    }
}

/** Distance of a point from a line segment. */
function distance(x: number, y: number, [ax, ay]: Point, [bx, by]: Point): number {
  const [dx, dy] = [bx - ax, by - ay];
  const length = dx * dx + dy * dy;
  const share = length === 0 ? 0 : Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / length));
  return Math.hypot(x - ax - share * dx, y - ay - share * dy);
}

/** Scan lines per pixel; horizontal coverage is exact. */
const cuts = 4;

/** Fills a polygon by the even-odd rule. */
function fill(raster: Raster, points: readonly Point[], color: Rgb): void {
  const covered = new Float32Array(raster.width);
  const ys = points.map(([, y]) => y);
  const last = Math.min(raster.height - 1, Math.floor(Math.max(...ys)));
  for (let y = Math.max(0, Math.floor(Math.min(...ys))); y <= last; y++) {
    covered.fill(0);
    for (let cut = 0; cut < cuts; cut++) {
      const crossings = crossingsAt(points, y + (cut + 0.5) / cuts);
      for (let i = 0; i + 1 < crossings.length; i += 2) span(covered, crossings[i], crossings[i + 1]);
    }
    for (let x = 0; x < raster.width; x++) if (covered[x]) blend(raster, x, y, color, covered[x]);
  }
}

/** Intersections of a scan line with a polygon, from left to right. */
function crossingsAt(points: readonly Point[], y: number): number[] {
  const found: number[] = [];
  points.forEach(([ax, ay], i) => {
    const [bx, by] = points[(i + 1) % points.length];
    if (ay <= y !== by <= y) found.push(ax + ((y - ay) / (by - ay)) * (bx - ax));
  });
  return found.sort((a, b) => a - b);
}

function span(covered: Float32Array, from: number, to: number): void {
  const first = Math.max(0, Math.floor(from));
  const last = Math.min(covered.length - 1, Math.floor(to));
  for (let x = first; x <= last; x++)
    covered[x] += Math.max(0, Math.min(x + 1, to) - Math.max(x, from)) / cuts;
}

function blend({ width, data }: Raster, x: number, y: number, color: Rgb, coverage: number): void {
  if (coverage <= 0) return;
  const share = Math.min(1, coverage);
  const at = 3 * (y * width + x);
  for (let i = 0; i < 3; i++) data[at + i] = Math.round(data[at + i] + share * (color[i] - data[at + i]));
}

const rgbOf = (color: Color): Rgb => {
  const digits = color.slice(1);
  const full = digits.length === 3 ? [...digits].map((d) => d + d).join("") : digits;
  return [0, 2, 4].map((i) => Number.parseInt(full.slice(i, i + 2), 16)) as [number, number, number];
};
