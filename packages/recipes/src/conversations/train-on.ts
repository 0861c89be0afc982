import { type TextStageOptions, type TextTask, textStage } from "@reins/language";

/** Options of an arm that is trained on another task than it imitates and is evaluated on: the same questions with other rewards. */
export const trainOn = (task: TextTask) => ({
  change: (_: unknown, options: TextStageOptions) => textStage({ ...options, task }),
});
