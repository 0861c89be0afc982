/** Judges of completions that are models: reward models, and prompted models that grade or compare. */
export {
  type AnswerPair,
  type PairwiseOptions,
  type PositionBias,
  pairwise,
  positionBias,
  type RubricOptions,
  rubric,
  withPreference,
} from "./generative-judges.ts";
export { type JudgeModel, languageJudge, loadJudgeModel, repliesJudge } from "./judge-model.ts";
export { type ProcessRewardOptions, processReward, type RewardJudge, rewardModel } from "./reward-judge.ts";
