import type { OptionTable, Stage, Task } from "@reins/core";
import type { EpisodicParts } from "@reins/core/loops";
import type { TextStageOptions, TextTask } from "@reins/language";
import type { ArmAlgorithmOptions } from "../arm-algorithm.ts";
import type { Grid } from "../grid.ts";
import type { Budget } from "../recipe.ts";
import type { LanguageArmModel } from "./options.ts";
import type { PromptSet } from "./prompt-set.ts";
import type { Score } from "./score.ts";

/** The task and the model, which a quick trial may change. */
export interface LanguageArmSetting {
  readonly task: TextTask;
  /** Levels to imitate, in equal shares. */
  readonly levels: readonly number[];
  /** Levels to train on with rewards and to evaluate (default: all). */
  readonly played?: readonly number[];
  /** The model and its imitation. It differs between seeds, and is the same for all arms. */
  readonly model: LanguageArmModel;
  readonly score?: Score;
}

/** Common options of all arms of a recipe. */
export interface LanguageArmTask extends LanguageArmSetting {
  /** Number of training problems of each level, in shuffled epochs (default: every batch has new problems). */
  readonly prompts?: number;
  /** Whether partial scores count as 0 (default false). */
  readonly wholly?: boolean;
  /** Changes the stage before training: another judge, another rollout. */
  readonly change?: (stage: Stage, options: TextStageOptions) => Stage;
  /** Metrics to average over all rounds, besides the usual ones. */
  readonly also?: readonly string[];
  /** Whether a run ends before the batch that would exceed its budget, so that all arms of a testbed stay within it. */
  readonly strict?: boolean;
  /** Changes for quick trials; for the model, only the differences. Their teacher is reliable by default. */
  readonly quick?: Partial<Omit<LanguageArmSetting, "model">> & {
    readonly model?: Partial<LanguageArmModel>;
  };
}

/** Settings of {@link languageArm}. */
export interface LanguageArmRunOptions<T extends OptionTable, G extends Grid>
  extends LanguageArmTask,
    ArmAlgorithmOptions<T, G, EpisodicParts> {
  readonly name: string;
  /** Its own grid and budget, if they differ from those of the other arms. */
  readonly grid?: G;
  readonly budget?: Budget;
  /**
   * Parts of the method that are made for each run, from its source of problems: another task with its
   * selection, another target. The source is a {@link PromptSet} where `prompts` is set.
   */
  readonly parts?: (task: Task & Partial<PromptSet>) => Partial<EpisodicParts>;
  /**
   * Name and version of its custom functions (`parts`, `change`, or a method that is not GRPO itself). Runs of
   * arms with equal data and an equal name are shared: change the name whenever a function changes.
   */
  readonly identity?: string;
}
