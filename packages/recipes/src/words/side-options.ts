import type { EpisodicParts, OptionTable, Stage, Task } from "@reins/core";
import type { Family, TextStageOptions } from "@reins/language";
import type { Grid } from "../grid.ts";
import type { Budget } from "../recipe.ts";
import type { LearnsBy } from "../side-algorithm.ts";
import type { WordsModel } from "./options.ts";
import type { Score } from "./score.ts";

/** The task and the model, which a quick trial may change. */
export interface WordsSetting {
  readonly family: Family;
  /** Levels to imitate, in equal shares. */
  readonly levels: readonly number[];
  /** Levels to train on with rewards and to evaluate (default: all). */
  readonly played?: readonly number[];
  /** The model and its imitation. It differs between seeds, and is the same for all arms. */
  readonly model: WordsModel;
  readonly score?: Score;
}

/** Common options of all arms of a recipe. */
export interface WordsTask extends WordsSetting {
  /** Whether partial scores count as 0 (default false). */
  readonly wholly?: boolean;
  /** Changes the stage before training: another judge, another rollout. */
  readonly change?: (stage: Stage, options: TextStageOptions) => Stage;
  /** Metrics to average over all rounds, besides the usual ones. */
  readonly also?: readonly string[];
  /** Changes for quick trials; for the model, only the differences. Their teacher is reliable by default. */
  readonly quick?: Partial<Omit<WordsSetting, "model">> & { readonly model?: Partial<WordsModel> };
}

/** Settings of {@link wordsSide}. */
export interface WordsSideOptions<T extends OptionTable, G extends Grid>
  extends WordsTask,
    LearnsBy<T, G, EpisodicParts> {
  readonly name: string;
  /** Its own grid and budget, if they differ from those of the other arms. */
  readonly grid?: G;
  readonly budget?: Budget;
  /**
   * Parts of the method that are made for each run, from its source of problems: another task with its
   * selection, another target.
   */
  readonly parts?: (task: Task) => Partial<EpisodicParts>;
}
