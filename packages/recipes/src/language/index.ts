export { languageArm, languageArms } from "./arm.ts";
export type { LanguageArmRunOptions, LanguageArmSetting, LanguageArmTask } from "./arm-options.ts";
export { imitationStart } from "./imitation.ts";
export { mixed } from "./mixed.ts";
export type { LanguageArmModel, LanguageArmOptions } from "./options.ts";
export { type ReinforceOptions, type ReinforceResult, reinforceArm } from "./reinforcement.ts";
export type { LevelScore, Score } from "./score.ts";
export { taskContent } from "./task-content.ts";
export { type UntrainedArmOptions, untrainedArm } from "./untrained-arm.ts";
