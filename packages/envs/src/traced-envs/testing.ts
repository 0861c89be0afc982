import { Generator } from "@reins/core/random";
import { tensor } from "@reins/tensor";

/** A generator whose numbers are given. */
export class GivenNumbers extends Generator {
  queue: number[] = [];
  override random(): number {
    return this.next();
  }
  override chance(probability: number): boolean {
    return this.next() < Math.fround(probability);
  }
  override integers(low: number, high: number): number {
    return low + Math.min(Math.floor(Math.fround(this.next() * (high - low))), high - low - 1);
  }
  private next(): number {
    const [first, ...rest] = this.queue;
    if (first === undefined) throw new Error("more random numbers than given");
    this.queue = rest;
    return first;
  }
}

/** Numbers that f32 can represent. */
export const uniforms = (random: Generator, rows: number, count: number) => {
  const numbers = Array.from({ length: rows * count }, () => Math.floor(random.random() * 2 ** 24) / 2 ** 24);
  return tensor(Float32Array.from(numbers), { shape: [rows, count] });
};
