/** `@reins/core/judges`: reward functions for whole episodes: length penalties, format rewards, and ways to combine judges. */
export * from "../judges.ts";
