export { type RewardedRows, rankingLoss, rewardTerm } from "./loss.ts";
export { reward } from "./reward.ts";
