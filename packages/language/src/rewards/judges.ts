/** Judges of completions that are models. */
export { type RewardJudge, rewardModel } from "./reward-judge.ts";
