import type { Generator } from "@reins/core/random";
import { real } from "@reins/tensor";

/** Half the road width in metres. */
export const halfWidth = 5;
/** Approximate tile length in metres. */
export const tileLength = 4;
/** Mean distance of the road from the centre of the field, in metres. */
const radius = 60;
/** Minimum turn radius in metres. */
const tightest = 14;
/** Number of waves of the road. */
const waves = [2, 3, 4, 5, 6, 7];
/** Points at which the course is computed before it is cut into tiles. */
const fine = 1024;

/** Cosines and sines of a wave at these points: a few courses are sampled until one is wide enough. */
const tables = new Map<number, { readonly cos: Float64Array; readonly sin: Float64Array }>();
function tableOf(wave: number) {
  let table = tables.get(wave);
  if (!table) {
    const turn = (_: unknown, i: number) => (2 * Math.PI * ((wave * i) % fine)) / fine;
    const turns = Float64Array.from({ length: fine }, turn);
    table = { cos: turns.map(real.cos), sin: turns.map(real.sin) };
    tables.set(wave, table);
  }
  return table;
}

/** A closed road: its centre line in tiles of equal length, and the driving direction of each. */
export interface Track {
  readonly tiles: number;
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** Cosine and sine of the direction. */
  readonly cos: Float64Array;
  readonly sin: Float64Array;
  /**
   * Both edges: for each tile the line to the next one on the left, then on the right, as x, y, and its extent in
   * x and y.
   */
  readonly edges: Float64Array;
}

/** Generates a road: a circle with waves, so that it closes and never crosses itself, in either driving direction. */
export function drawTrack(random: Generator): Track {
  // Smaller waves have wider turns, so the loop terminates.
  for (let size = 0.5; ; size *= 0.97) {
    const course = drawCourse(random, size);
    const track = cutIntoTiles(course.x, course.y);
    if (isWide(track)) return track;
  }
}

function drawCourse(random: Generator, size: number): { x: Float64Array; y: Float64Array } {
  const r = new Float64Array(fine).fill(1);
  for (const k of waves) {
    const { cos, sin } = tableOf(k);
    const [a, b] = [(size * random.uniform(-1, 1)) / k, (size * random.uniform(-1, 1)) / k];
    for (let i = 0; i < fine; i++) r[i] += a * cos[i] + b * sin[i];
  }
  const way = random.random() < 0.5 ? 1 : -1;
  const { cos, sin } = tableOf(1);
  return { x: r.map((ri, i) => radius * ri * cos[i]), y: r.map((ri, i) => way * radius * ri * sin[i]) };
}

/** Points at equal distances along the course. */
function cutIntoTiles(px: Float64Array, py: Float64Array): Track {
  const way = new Float64Array(fine + 1);
  for (let i = 0; i < fine; i++) {
    const next = (i + 1) % fine;
    way[i + 1] = way[i] + length(px[next] - px[i], py[next] - py[i]);
  }
  const tiles = Math.round(way[fine] / tileLength);
  const [x, y] = [new Float64Array(tiles), new Float64Array(tiles)];
  for (let t = 0, i = 0; t < tiles; t++) {
    const goal = (way[fine] * t) / tiles;
    while (way[i + 1] <= goal) i++;
    const share = (goal - way[i]) / (way[i + 1] - way[i]);
    const next = (i + 1) % fine;
    x[t] = px[i] + share * (px[next] - px[i]);
    y[t] = py[i] + share * (py[next] - py[i]);
  }
  turnToStart(x, y);
  const [cos, sin] = directions(x, y);
  return { tiles, x, y, cos, sin, edges: edgesOf(x, y, cos, sin) };
}

// The engine's own function could differ between machines; a square root does not.
const length = (x: number, y: number) => Math.sqrt(x * x + y * y);

/** Cosines and sines of the directions between consecutive points. */
function directions(x: Float64Array, y: Float64Array): [cos: Float64Array, sin: Float64Array] {
  const tiles = x.length;
  const [cos, sin] = [new Float64Array(tiles), new Float64Array(tiles)];
  for (let t = 0; t < tiles; t++) {
    const [before, after] = [(t + tiles - 1) % tiles, (t + 1) % tiles];
    const [dx, dy] = [x[after] - x[before], y[after] - y[before]];
    cos[t] = dx / length(dx, dy);
    sin[t] = dy / length(dx, dy);
  }
  return [cos, sin];
}

/** Rotates the road about the centre of the field until the first tile points right: cars start at an angle of 0. */
function turnToStart(x: Float64Array, y: Float64Array): void {
  const [[cos], [sin]] = directions(x, y);
  for (let t = 0; t < x.length; t++) [x[t], y[t]] = [cos * x[t] + sin * y[t], cos * y[t] - sin * x[t]];
}

function edgesOf(x: Float64Array, y: Float64Array, cos: Float64Array, sin: Float64Array): Float64Array {
  const tiles = x.length;
  const edges = new Float64Array(8 * tiles);
  [1, -1].forEach((side, s) => {
    const at = (t: number) => [x[t] - side * halfWidth * sin[t], y[t] + side * halfWidth * cos[t]];
    for (let t = 0; t < tiles; t++) {
      const [[x0, y0], [x1, y1]] = [at(t), at((t + 1) % tiles)];
      edges.set([x0, y0, x1 - x0, y1 - y0], 4 * (s * tiles + t));
    }
  });
  return edges;
}

/** Whether no turn is too tight. */
function isWide({ tiles, cos, sin }: Track): boolean {
  for (let t = 0; t < tiles; t++) {
    const next = (t + 1) % tiles;
    // The sine of the small angle between them.
    if (Math.abs(cos[t] * sin[next] - sin[t] * cos[next]) > tileLength / tightest) return false;
  }
  return true;
}

/** The tile whose middle is nearest to a point. */
export function nearestTile({ tiles, x, y }: Track, px: number, py: number): number {
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let t = 0; t < tiles; t++) {
    const distance = (x[t] - px) * (x[t] - px) + (y[t] - py) * (y[t] - py);
    if (distance < least) {
      least = distance;
      best = t;
    }
  }
  return best;
}

/** Tiles on either side of a known one that are searched for the nearest tile. */
const close = 3;

/** The nearest tile among the neighbours of a known one. */
export function nearestAround({ tiles, x, y }: Track, tile: number, px: number, py: number): number {
  let best = tile;
  let least = Number.POSITIVE_INFINITY;
  for (let i = tiles - close; i <= tiles + close; i++) {
    const t = (tile + i) % tiles;
    const distance = (x[t] - px) * (x[t] - px) + (y[t] - py) * (y[t] - py);
    if (distance < least) {
      least = distance;
      best = t;
    }
  }
  return best;
}

/** Signed distance of a point from the centre line at a tile; positive on the left. */
export function offsetFrom({ x, y, cos, sin }: Track, tile: number, px: number, py: number): number {
  return (py - y[tile]) * cos[tile] - (px - x[tile]) * sin[tile];
}
