import type { Judge } from "../judge.ts";

/** Pays 1 for what reaches `least` in the judge's eyes and nothing for the rest: parts that are right do not count. */
export function allOrNothing(inner: Judge, least = 1): Judge {
  return async (episodes, court) =>
    (await inner(episodes, court)).map((verdict) => {
      const { reward } = verdict;
      const total = typeof reward === "number" ? reward : reward.reduce((a, b) => a + b, 0);
      return { ...verdict, reward: total >= least ? 1 : 0 };
    });
}
