import type { Generator } from "@reins/core";

/** Metres from the middle of the road to either edge. */
export const halfWidth = 5;
/** Metres from one tile to the next, about. */
const tileLength = 4;
/** Metres from the middle of the field to the road, on average. */
const radius = 60;
/** The tightest turn, in metres. */
const tightest = 14;
/** Waves that the road makes on its way round. */
const waves = [2, 3, 4, 5, 6, 7];
/** Points that the course is computed at before it is cut into tiles. */
const fine = 1024;

/** A closed road: its middle in tiles of equal length, and the direction in which each is driven. */
export interface Track {
  readonly tiles: number;
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly angle: Float64Array;
  /** Both edges: for each tile the line to the next one on the left, then on the right, as x, y, and how far it goes in x and y. */
  readonly edges: Float64Array;
}

/** Draws a road: a circle with waves, so that it closes and never crosses itself, driven either way round. */
export function drawTrack(random: Generator): Track {
  // Smaller waves have wider turns, so the loop ends.
  for (let size = 1; ; size *= 0.97) {
    const course = drawCourse(random, size);
    const track = cutIntoTiles(course.x, course.y);
    if (isWide(track)) return track;
  }
}

function drawCourse(random: Generator, size: number): { x: Float64Array; y: Float64Array } {
  const sides = waves.map((k) => [random.uniform(-1, 1) / k, random.uniform(-1, 1) / k]);
  const way = random.random() < 0.5 ? 1 : -1;
  const [x, y] = [new Float64Array(fine), new Float64Array(fine)];
  for (let i = 0; i < fine; i++) {
    const turn = (2 * Math.PI * i) / fine;
    let r = 1;
    waves.forEach((k, w) => {
      r += size * 0.6 * (sides[w][0] * Math.cos(k * turn) + sides[w][1] * Math.sin(k * turn));
    });
    x[i] = radius * r * Math.cos(turn);
    y[i] = way * radius * r * Math.sin(turn);
  }
  return { x, y };
}

/** Points at equal distances along the course. */
function cutIntoTiles(px: Float64Array, py: Float64Array): Track {
  const way = new Float64Array(fine + 1);
  for (let i = 0; i < fine; i++) {
    const next = (i + 1) % fine;
    way[i + 1] = way[i] + Math.hypot(px[next] - px[i], py[next] - py[i]);
  }
  const tiles = Math.round(way[fine] / tileLength);
  const [x, y, angle] = [new Float64Array(tiles), new Float64Array(tiles), new Float64Array(tiles)];
  for (let t = 0, i = 0; t < tiles; t++) {
    const goal = (way[fine] * t) / tiles;
    while (way[i + 1] <= goal) i++;
    const share = (goal - way[i]) / (way[i + 1] - way[i]);
    const next = (i + 1) % fine;
    x[t] = px[i] + share * (px[next] - px[i]);
    y[t] = py[i] + share * (py[next] - py[i]);
  }
  for (let t = 0; t < tiles; t++) {
    const [before, after] = [(t + tiles - 1) % tiles, (t + 1) % tiles];
    angle[t] = Math.atan2(y[after] - y[before], x[after] - x[before]);
  }
  return { tiles, x, y, angle, edges: edgesOf(tiles, x, y, angle) };
}

function edgesOf(tiles: number, x: Float64Array, y: Float64Array, angle: Float64Array): Float64Array {
  const edges = new Float64Array(8 * tiles);
  [1, -1].forEach((side, s) => {
    const at = (t: number) => [
      x[t] - side * halfWidth * Math.sin(angle[t]),
      y[t] + side * halfWidth * Math.cos(angle[t]),
    ];
    for (let t = 0; t < tiles; t++) {
      const [[x0, y0], [x1, y1]] = [at(t), at((t + 1) % tiles)];
      edges.set([x0, y0, x1 - x0, y1 - y0], 4 * (s * tiles + t));
    }
  });
  return edges;
}

/** Whether no turn is too tight. */
function isWide({ tiles, angle }: Track): boolean {
  for (let t = 0; t < tiles; t++) {
    const bend = angle[(t + 1) % tiles] - angle[t];
    if (Math.abs(Math.atan2(Math.sin(bend), Math.cos(bend))) > tileLength / tightest) return false;
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

/** Tiles on either side of a known one among which the nearest to a point close by is looked for. */
const close = 3;

/** The same among the neighbours of a tile that is near. */
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

/** How far a point is from the middle of the road beside a tile; positive on the left. */
export function offsetFrom({ x, y, angle }: Track, tile: number, px: number, py: number): number {
  return (py - y[tile]) * Math.cos(angle[tile]) - (px - x[tile]) * Math.sin(angle[tile]);
}

/** How far rays go from a point until they meet an edge of the road. One for each track: it keeps the edges that are near. */
export class Rays {
  private readonly track: Track;
  private readonly reach: number;
  /** Edges that are near, as lines from the point. */
  private readonly near: Float64Array;
  private count = 0;

  constructor(track: Track, reach: number) {
    this.track = track;
    this.reach = reach;
    this.near = new Float64Array(track.edges.length);
  }

  /** Looks around from a point. */
  from(px: number, py: number): void {
    const { near } = this;
    const { edges } = this.track;
    const far = this.reach + tileLength;
    this.count = 0;
    for (let e = 0; e < edges.length; e += 4) {
      const x = edges[e] - px;
      const y = edges[e + 1] - py;
      if (x > far || x < -far || y > far || y < -far) continue;
      near[this.count++] = x;
      near[this.count++] = y;
      near[this.count++] = edges[e + 2];
      near[this.count++] = edges[e + 3];
    }
  }

  /** How far the ray in a direction goes, at most its reach. */
  length(direction: number): number {
    const { near, count } = this;
    const dx = Math.cos(direction);
    const dy = Math.sin(direction);
    let least = this.reach;
    for (let e = 0; e < count; e += 4) {
      const x = near[e];
      const y = near[e + 1];
      const ex = near[e + 2];
      const ey = near[e + 3];
      const across = dx * ey - dy * ex;
      if (across === 0) continue;
      const along = (x * ey - y * ex) / across;
      if (along < 0 || along >= least) continue;
      const share = (x * dy - y * dx) / across;
      if (share >= 0 && share <= 1) least = along;
    }
    return least;
  }
}
