import type { Series } from "./plot.ts";

/** A curve of bounded size: it is thinned out as the run gets longer. */
export class History {
  private readonly most: number;
  private x: number[] = [];
  private y: number[] = [];
  /** One of `stride` points is kept. */
  private stride = 1;
  private count = 0;

  constructor(most = 400) {
    this.most = most;
  }

  add(x: number, y: number): void {
    if (this.count++ % this.stride !== 0) return;
    this.x.push(x);
    this.y.push(y);
    if (this.x.length < this.most) return;
    this.x = this.x.filter((_, i) => i % 2 === 0);
    this.y = this.y.filter((_, i) => i % 2 === 0);
    this.stride *= 2;
  }

  series(name: string): Series {
    return { name, x: this.x, y: this.y };
  }
}
