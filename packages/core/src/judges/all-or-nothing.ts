import { type Judge, totalOf } from "../judge.ts";

/** Pays 1 for what reaches `least` in the judge's eyes and nothing for the rest: parts that are right do not count. */
export function allOrNothing(inner: Judge, least = 1): Judge {
  return async (episodes, court) =>
    (await inner(episodes, court)).map((v) => ({ ...v, reward: totalOf(v) >= least ? 1 : 0 }));
}
