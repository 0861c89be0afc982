/** A small seeded generator (mulberry32): a program is a function of its seed and number, and of nothing else. */
export class Random {
  private state: number;
  constructor(...seeds: number[]) {
    this.state = 0x9e3779b9;
    for (const s of seeds) {
      this.state = (this.state ^ Math.imul(s | 0, 0x85ebca6b)) >>> 0;
      this.next();
      this.state = (this.state + Math.floor(this.next() * 4294967296)) >>> 0;
    }
  }

  /** From 0 up to but without 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let t = this.state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }

  /** A whole number from `low` to `high`, both included. */
  whole(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  between(low: number, high: number): number {
    return low + this.next() * (high - low);
  }

  pick<T>(list: readonly T[]): T {
    return list[this.whole(0, list.length - 1)];
  }

  chance(p: number): boolean {
    return this.next() < p;
  }

  shuffled<T>(list: readonly T[]): T[] {
    const out = [...list];
    for (let i = out.length - 1; i > 0; i--) {
      const j = this.whole(0, i);
      [out[i], out[j]] = [out[j], out[i]];
    }
    return out;
  }
}
