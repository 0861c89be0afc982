import type { EpisodicParts, OptionTable, Stage, Task } from "@reins/core";
import type { Family, TextStageOptions } from "@reins/language";
import type { Grid } from "../grid.ts";
import type { LearnsBy } from "../made-by.ts";
import type { Budget } from "../recipe.ts";
import type { WordsModel } from "./options.ts";
import type { Score } from "./score.ts";

/** What is played and by whom: what a quick trial may have otherwise. */
export interface WordsSetting {
  readonly family: Family;
  /** Levels that are imitated, in equal shares. */
  readonly levels: readonly number[];
  /** Levels that are reinforced and measured, if not all of them. */
  readonly played?: readonly number[];
  /** The model and what it has imitated. It is another one for each seed, and the same for all sides. */
  readonly model: WordsModel;
  readonly score?: Score;
}

/** What all sides of a recipe have in common. */
export interface WordsTask extends WordsSetting {
  /** Whether an answer is right or wrong, and partial scores pay nothing (default false). */
  readonly wholly?: boolean;
  /** Changes the stage before anything is played: another judge, another way to play. */
  readonly change?: (stage: Stage, options: TextStageOptions) => Stage;
  /** Metrics to average over all rounds, beside the usual ones. */
  readonly also?: readonly string[];
  /** What quick trials have otherwise; of the model, what differs. Their teacher is reliable unless it says so. */
  readonly quick?: Partial<Omit<WordsSetting, "model">> & { readonly model?: Partial<WordsModel> };
}

/** Settings of {@link wordsSide}. */
export interface WordsSideOptions<T extends OptionTable, G extends Grid>
  extends WordsTask,
    LearnsBy<T, G, EpisodicParts> {
  readonly name: string;
  /** What it is tuned over and may use, where that is not the same for all sides. */
  readonly grid?: G;
  readonly budget?: Budget;
  /**
   * Parts of the method that are made for each run, from the problems that it would play: another task, with the selection that belongs to
   * it, another target.
   */
  readonly parts?: (task: Task) => Partial<EpisodicParts>;
}
