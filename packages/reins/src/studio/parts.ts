import type { StudioParts } from "@reins/studio";
import { askRun } from "../training/ask-run.ts";
import { diagnose } from "./diagnosis.ts";
import { recipeBook } from "./recipes.ts";
import { runStarter } from "./starter.ts";
import { trialCommand } from "./trial-command.ts";

/** Milliseconds that a run may take to answer. */
const patience = 10_000;

/** Folders that a studio shows beside its runs. */
export interface StudioFolders {
  /** A recipe book. */
  readonly recipes?: string;
  /** Searches for settings. */
  readonly tunings?: string;
}

/** What the studio needs that the run directories themselves do not tell. */
export function studioParts({ recipes, tunings }: StudioFolders = {}): StudioParts {
  return {
    ask: (path, command) => askRun(path, command, { patience }),
    recipes: recipeBook(recipes),
    diagnose,
    starter: runStarter(),
    trainCommand: trialCommand,
    ...(tunings === undefined ? {} : { tunings }),
  };
}
