import { real } from "@reins/tensor";
import { type Track, tileLength } from "./track.ts";

/** Distances along rays from a point to the road edges. One instance per track: it caches the nearby edges. */
export class Rays {
  private readonly track: Track;
  private readonly reach: number;
  /** Nearby edges, as lines relative to the point. */
  private readonly near: Float64Array;
  private count = 0;

  constructor(track: Track, reach: number) {
    this.track = track;
    this.reach = reach;
    this.near = new Float64Array(track.edges.length);
  }

  /** Collects the edges around a point. */
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

  /** Length of the ray in a direction, at most its maximum. */
  length(direction: number): number {
    const { near, count } = this;
    const dx = real.cos(direction);
    const dy = real.sin(direction);
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
