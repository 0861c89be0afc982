/** Exploration bonuses, as wrappers. */
export { type CountsOptions, counts } from "./counts.ts";
export { disagreement } from "./disagreement.ts";
export { icm } from "./icm.ts";
export { type IntrinsicOptions, IntrinsicReward } from "./intrinsic-reward.ts";
export type { Novelty } from "./novelty.ts";
export type { LearnedNoveltyOptions } from "./novelty-model.ts";
export { rnd } from "./rnd.ts";
