import { Generator } from "./internals.ts";

/** A generator for several seeds: a program depends only on its seed and number. */
export class Random extends Generator {
  constructor(...seeds: number[]) {
    super(mixed(seeds));
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

/** A generator whose errors all have the same sign, as those of many terms may: random signs would almost never do that. */
export class BiasedRandom extends Random {
  private readonly way: 1 | -1;

  constructor(way: 1 | -1, ...seeds: number[]) {
    super(...seeds);
    this.way = way;
  }

  override between(low: number, high: number): number {
    return this.way * Math.abs(super.between(low, high));
  }
}

/** One seed from several, with every bit depending on all. */
function mixed(seeds: readonly number[]): number {
  return seeds.reduce((state, seed) => {
    const r = new Generator(state ^ Math.imul(seed | 0, 0x85ebca6b));
    r.next();
    return r.whole(0, 4294967295);
  }, 0x9e3779b9);
}
