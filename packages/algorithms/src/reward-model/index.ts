export { type RewardedRows, rankingLoss, rewardTerm } from "./loss.ts";
export { processReward, stepTerm } from "./process-reward.ts";
export { reward } from "./reward.ts";
