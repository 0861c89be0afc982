import { type Episode, ownSteps } from "../episode.ts";
import { callJudge, type Judge, totalOf, type Verdict } from "../judge.ts";
import { groupEpisodes } from "../selection.ts";
import { paying } from "./step-verdict.ts";

/** The task score of the first judge, before later judges changed the reward. */
const scored = (v: Verdict) => v.score ?? totalOf(v);

/** A verdict with another reward that keeps the task score. */
const revise = (verdict: Verdict, reward: number, episode: Episode): Verdict =>
  paying({ ...verdict, score: scored(verdict) }, reward, episode);

/** A judge's verdicts with changed rewards. */
function revised(inner: Judge, rewardOf: (verdict: Verdict, episode: Episode) => number): Judge {
  return async (episodes, court) =>
    (await callJudge(inner, episodes, court)).map((v, i) => revise(v, rewardOf(v, episodes[i]), episodes[i]));
}

/** Settings of {@link lengthPenalty}. */
export interface LengthPenaltyOptions {
  /** Penalty for an episode of full length. */
  readonly weight: number | ((episode: Episode) => number);
  /** The full length, in steps. */
  readonly limit: number;
  /**
   * Which episodes are penalised. `all`: all equally. `solved`: only correct answers. `rate`: in proportion to the group's success rate, so
   * easy problems need short answers and hard ones may take longer (ALP, Xiang et al., 2025).
   */
  readonly by?: "all" | "solved" | "rate";
  /** Reward from which a problem counts as solved (default 1). */
  readonly least?: number;
}

/** A length penalty per step. */
export function lengthPenalty(
  inner: Judge,
  { weight, limit, by = "all", least = 1 }: LengthPenaltyOptions,
): Judge {
  return async (episodes, court) => {
    const verdicts = await callJudge(inner, episodes, court);
    const judged = episodes.map((episode, i) => ({ episode, i, verdict: verdicts[i] }));
    const out: Verdict[] = [];
    for (const group of groupEpisodes(judged)) {
      const solved = group.filter((j) => scored(j.verdict) >= least).length;
      for (const { episode, i, verdict } of group) {
        const share =
          by === "all"
            ? 1
            : by === "solved"
              ? Number(scored(verdict) >= least)
              : Math.max(solved, 1) / group.length;
        out[i] = revise(
          verdict,
          totalOf(verdict) - (priceOf(weight, episode) * share * ownSteps(episode)) / limit,
          episode,
        );
      }
    }
    return out;
  };
}

/** A penalty that rises over the last `margin` steps before the limit, up to 1 at the limit (soft overlong punishment, Yu et al., 2025). */
export function overlongPenalty(inner: Judge, { limit, margin }: { limit: number; margin: number }): Judge {
  return revised(
    inner,
    (v, e) => totalOf(v) - Math.min(1, Math.max(0, (ownSteps(e) - (limit - margin)) / margin)),
  );
}

/** A penalty for missing the problem's token budget, `context.budget`, in either direction (L1, Aggarwal and Welleck, 2025). */
export function budgetPenalty(inner: Judge, { weight, limit }: { weight: number; limit: number }): Judge {
  return revised(inner, (v, e) => {
    const budget = (e.context as { budget?: number } | undefined)?.budget;
    return budget === undefined ? totalOf(v) : totalOf(v) - (weight * Math.abs(ownSteps(e) - budget)) / limit;
  });
}

/** A format reward, for correct and wrong answers alike; verdicts mark the required format with `wellFormed`. */
export function formatReward(inner: Judge, weight: number | ((episode: Episode) => number)): Judge {
  return revised(inner, (v, e) => totalOf(v) + (v.wellFormed ? priceOf(weight, e) : 0));
}

const priceOf = (weight: number | ((episode: Episode) => number), episode: Episode) =>
  typeof weight === "number" ? weight : weight(episode);
