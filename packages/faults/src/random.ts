import { createHash } from "node:crypto";

/** Draws for one trial: the same words and numbers give the same draws. */
export interface Random {
  /** In [0, 1). */
  uniform(): number;
  /** A whole number below `n`. */
  below(n: number): number;
  /** Whether something of probability `p` happens. */
  chance(p: number): boolean;
  /** One of a list. */
  of<T>(list: readonly T[]): T;
}

/** A generator of its own for each trial, so that any of them can be repeated alone. */
export function randomOf(...key: readonly (string | number)[]): Random {
  let state = createHash("sha256").update(key.join("/")).digest().readUInt32LE();
  // mulberry32
  const uniform = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (n: number) => Math.floor(uniform() * n);
  return { uniform, below, chance: (p) => uniform() < p, of: (list) => list[below(list.length)] };
}
