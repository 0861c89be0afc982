import { real } from "@reins/tensor";
import type { Column } from "../scenes/scene-env.ts";
import { type Car, steerMost } from "./car.ts";
import { halfWidth, nearestAround, offsetFrom, type Track } from "./track.ts";

/** Image side in pixels. */
export const viewSize = 64;
/** Metres per pixel. */
const metres = 0.75;
/** Pixels from the top of the image to the car. */
const carRow = 44;
/** Map cells per metre. */
const cells = 2;

const grass = [96, 176, 80] as const;
const dark = [88, 164, 72] as const;
const road = [104, 104, 104] as const;
const start = [230, 230, 230] as const;
const red = [204, 0, 0] as const;
const black = [0, 0, 0] as const;
type Rgb = readonly [number, number, number];

/** The field as cells: 0 grass, 1 road, 2 the start line. */
export interface RoadMap {
  readonly side: number;
  /** Metres from the centre to the first cell. */
  readonly half: number;
  readonly cells: Uint8Array;
}

/** Draws the road into cells, once per episode. */
export function roadMap(track: Track): RoadMap {
  const half = Math.ceil(Math.max(...track.x.map(Math.abs), ...track.y.map(Math.abs)) + 2 * halfWidth);
  const side = 2 * half * cells;
  const map = new Uint8Array(side * side);
  const around = (halfWidth + 3) * cells;
  for (let t = 0; t < track.tiles; t++) {
    const [cx, cy] = [Math.round((track.x[t] + half) * cells), Math.round((track.y[t] + half) * cells)];
    for (let j = cy - around; j <= cy + around; j++)
      for (let i = cx - around; i <= cx + around; i++) {
        if (i < 0 || j < 0 || i >= side || j >= side || map[j * side + i]) continue;
        const [x, y] = [(i + 0.5) / cells - half, (j + 0.5) / cells - half];
        const tile = nearestAround(track, t, x, y);
        if (Math.abs(offsetFrom(track, tile, x, y)) > halfWidth) continue;
        const along = (x - track.x[tile]) * track.cos[tile] + (y - track.y[tile]) * track.sin[tile];
        map[j * side + i] = tile === 0 && Math.abs(along) < 0.75 ? 2 : 1;
      }
  }
  return { side, half, cells: map };
}

/** The surroundings of the car, which drives upwards; bars at the bottom show its speed, wheel angle and spin. */
export function pixels({ side, half, cells: map }: RoadMap, car: Car, out: Column, at: number): void {
  const [cos, sin] = [real.cos(car.angle), real.sin(car.angle)];
  for (let row = 0; row < viewSize; row++) {
    const ahead = (carRow - row) * metres;
    for (let column = 0; column < viewSize; column++) {
      const left = (viewSize / 2 - column - 0.5) * metres;
      const x = car.x + ahead * cos - left * sin;
      const y = car.y + ahead * sin + left * cos;
      const [i, j] = [Math.floor((x + half) * cells), Math.floor((y + half) * cells)];
      const cell = i < 0 || j < 0 || i >= side || j >= side ? 0 : map[j * side + i];
      // Squares of grass make speed visible.
      const square = (Math.floor(x / 10) + Math.floor(y / 10)) & 1;
      put(out, at, row, column, cell === 2 ? start : cell === 1 ? road : square ? dark : grass);
    }
  }
  fill(out, at, { row: carRow - 3, column: viewSize / 2 - 1, height: 6, width: 2 }, red);
  fill(out, at, { row: viewSize - 5, column: 0, height: 5, width: viewSize }, black);
  bar(out, at, viewSize - 4, 4, Math.max(0, car.forward) / 30, [255, 255, 255]);
  bar(out, at, viewSize - 3, viewSize / 2, -car.steered / steerMost / 2, [0, 255, 0]);
  bar(out, at, viewSize - 2, viewSize / 2, -car.spin / 6, [255, 64, 64]);
}

function put(out: Column, at: number, row: number, column: number, [r, g, b]: Rgb): void {
  const first = at + 3 * (row * viewSize + column);
  out[first] = r;
  out[first + 1] = g;
  out[first + 2] = b;
}

interface Rectangle {
  readonly row: number;
  readonly column: number;
  readonly height: number;
  readonly width: number;
}

function fill(out: Column, at: number, { row, column, height, width }: Rectangle, color: Rgb): void {
  for (let j = row; j < row + height; j++)
    for (let i = Math.max(0, column); i < Math.min(viewSize, column + width); i++) put(out, at, j, i, color);
}

/** A horizontal bar from a column to the right, or to the left if negative. */
function bar(out: Column, at: number, row: number, from: number, share: number, color: Rgb): void {
  const length = Math.round(share * (viewSize - 8));
  const column = Math.min(from, from + length);
  fill(out, at, { row, column, height: 1, width: Math.abs(length) }, color);
}
