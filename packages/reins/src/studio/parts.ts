import type { StudioParts } from "@reins/studio";
import { askRun } from "../training/ask-run.ts";
import { diagnose } from "./diagnosis.ts";
import { recipeBook } from "./recipes.ts";
import { runStarter } from "./starter.ts";
import { trialCommand } from "./trial-command.ts";

/** Timeout of a run's answer, in milliseconds. */
const patience = 10_000;

/** Folders that a studio shows beside its runs. */
export interface StudioFolders {
  /** Recipes. */
  readonly recipes?: string;
  /** Tunings. */
  readonly tunings?: string;
}

/** Functions of the studio beyond reading run directories. */
export function studioParts({ recipes, tunings }: StudioFolders = {}): StudioParts {
  return {
    control: (path, command) => askRun(path, command, { patience }),
    recipes: recipeBook(recipes),
    diagnose,
    starter: runStarter(),
    trainCommand: trialCommand,
    ...(tunings === undefined ? {} : { tunings }),
  };
}
