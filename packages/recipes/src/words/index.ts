export { familyContent } from "./family-content.ts";
export { imitationStart } from "./imitation.ts";
export { mixed } from "./mixed.ts";
export type { LanguageArmModel, LanguageArmOptions } from "./options.ts";
export { type ReinforcedOptions, type ReinforceResult, reinforceArm } from "./reinforcement.ts";
export type { LevelScore, Score } from "./score.ts";
export { languageArm, languageArms } from "./side.ts";
export type { LanguageArmSetting, LanguageArmTask, WordsSideOptions } from "./side-options.ts";
export { type StillSideOptions, untrainedArm } from "./untrained-side.ts";
