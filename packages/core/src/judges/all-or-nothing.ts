import { consult, type Judge, totalOf } from "../judge.ts";

/** Pays 1 for what reaches `least` in the judge's eyes and nothing for the rest: parts that are right do not count, nor where they are. */
export function allOrNothing(inner: Judge, least = 1): Judge {
  return async (episodes, court) =>
    (await consult(inner, episodes, court)).map(({ steps: _, ...v }) => ({
      ...v,
      reward: totalOf(v) >= least ? 1 : 0,
    }));
}
