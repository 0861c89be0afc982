import { callJudge, type Judge, totalOf } from "../judge.ts";

/** Reward 1 if the inner judge's reward reaches `least`, otherwise 0: no partial credit, also not on single steps. */
export function allOrNothing(inner: Judge, least = 1): Judge {
  return async (episodes, court) =>
    (await callJudge(inner, episodes, court)).map(({ steps: _, ...v }) => ({
      ...v,
      reward: totalOf(v) >= least ? 1 : 0,
    }));
}
