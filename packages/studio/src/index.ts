/** `@reins/studio`: a local web page on a folder of runs. */

export type { StudioParts } from "./parts.ts";
export type {
  RecipeArm,
  RecipeAttempt,
  RecipeBlock,
  RecipeBook,
  RecipeClaim,
  RecipeColumn,
  RecipeDetail,
  RecipeEffect,
  RecipeLevel,
  RecipeLine,
  RecipeListing,
  RecipeResult,
  RecipeSettings,
  RecipeState,
} from "./recipe-wire.ts";
export { writeSite } from "./site.ts";
export type { RunStarter, StartPlan, StartRequest } from "./start.ts";
export { openStudio, type Studio, type StudioOptions } from "./studio.ts";
