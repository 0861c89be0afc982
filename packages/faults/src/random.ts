import { createHash } from "node:crypto";

/** Random numbers of one trial: the same words and numbers give the same sequence. */
export interface Random {
  /** In [0, 1). */
  uniform(): number;
  /** An integer below `n`. */
  below(n: number): number;
  /** True with probability `p`. */
  chance(p: number): boolean;
  /** An element of a list. */
  of<T>(list: readonly T[]): T;
}

/** A separate generator for each trial, so that each can be repeated alone. */
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
