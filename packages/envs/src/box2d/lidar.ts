import { real } from "@reins/tensor";
import { type Terrain, terrainStep } from "./walker-terrain.ts";

/** Lidar rays that measure the distance to the ground. */
export const rays = 10;
/** Length of a ray, in metres. */
export const reach = 160 / 30;

/** End of each ray relative to its start: from straight down to almost ahead. */
const ends = Array.from({ length: rays }, (_, ray) => {
  const turn = (1.5 * ray) / rays;
  return [real.sin(turn) * reach, -real.cos(turn) * reach] as const;
});

/**
 * Lidar distances to the ground. The engine's own ray cast traverses a whole tree and allocates objects; here the
 * ground is ordered from left to right, and its blocks are rectangles.
 */
export class Lidar {
  /** Distance to the ground along each ray, as a fraction of its length. */
  readonly shares = new Float64Array(rays);
  private readonly heights: Float64Array;
  /** Left, right, bottom and top of each block. */
  private readonly blocks: readonly (readonly [number, number, number, number])[];

  constructor({ points, blocks }: Terrain) {
    this.heights = Float64Array.from(points, ([, y]) => y);
    this.blocks = blocks.map((corners) => {
      const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
      return [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    });
  }

  /** Measures from a point. */
  from(x: number, y: number): void {
    for (let ray = 0; ray < rays; ray++) {
      const [dx, dy] = ends[ray];
      let share = this.toSurface(x, y, dx, dy);
      for (const block of this.blocks)
        if (block[1] >= x && block[0] <= x + dx) share = Math.min(share, toBlock(block, x, y, dx, dy));
      this.shares[ray] = share;
    }
  }

  private toSurface(x: number, y: number, dx: number, dy: number): number {
    const { heights } = this;
    const last = Math.min(heights.length - 2, Math.floor((x + dx) / terrainStep));
    let least = 1;
    for (let i = Math.max(0, Math.floor(x / terrainStep)); i <= last; i++) {
      const rise = heights[i + 1] - heights[i];
      const across = dx * rise - dy * terrainStep;
      if (across === 0) continue;
      const [ox, oy] = [i * terrainStep - x, heights[i] - y];
      const along = (ox * rise - oy * terrainStep) / across;
      const share = (ox * dy - oy * dx) / across;
      if (along >= 0 && along < least && share >= 0 && share <= 1) least = along;
    }
    return least;
  }
}

/** Fraction of the ray at which it enters a rectangle; 1 if it does not, or starts inside. */
function toBlock(
  [left, right, bottom, top]: readonly [number, number, number, number],
  x: number,
  y: number,
  dx: number,
  dy: number,
): number {
  // No ray points up or left, and the first points straight down.
  const enterX = dx === 0 ? (x < left || x > right ? 1 : -1) : (left - x) / dx;
  const leaveX = dx === 0 ? 1 : (right - x) / dx;
  const enter = Math.max(enterX, (top - y) / dy);
  const leave = Math.min(leaveX, (bottom - y) / dy);
  return enter >= 0 && enter <= leave ? Math.min(1, enter) : 1;
}
