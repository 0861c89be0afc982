export { familyContent } from "./family-content.ts";
export { imitated } from "./imitation.ts";
export { mixed } from "./mixed.ts";
export type { WordsModel, WordsOptions } from "./options.ts";
export { type Reinforced, type ReinforcedOptions, reinforced } from "./reinforcement.ts";
export type { LevelScore, Score } from "./score.ts";
export { wordsSide, wordsSides } from "./side.ts";
export type { WordsSetting, WordsSideOptions, WordsTask } from "./side-options.ts";
export { type StillSideOptions, stillSide } from "./untrained-side.ts";
