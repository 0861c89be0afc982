import type { StudioParts } from "@reins/studio";
import { askRun } from "../training/ask-run.ts";
import { diagnose } from "./diagnosis.ts";
import { recipeBook } from "./recipes.ts";

/** Milliseconds that a run may take to answer. */
const patience = 10_000;

/** What the studio needs that the run directories themselves do not tell; `recipes` is a folder with a recipe book. */
export function studioParts(recipes?: string): StudioParts {
  return {
    ask: (path, command) => askRun(path, command, { patience }),
    recipes: recipeBook(recipes),
    diagnose,
  };
}
