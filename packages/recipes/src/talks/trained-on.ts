import { type Family, type TextStageOptions, textStage } from "@reins/language";

/** What a side has that is trained on another family than it imitates and is measured by: the same questions with other rewards. */
export const trainedOn = (family: Family) => ({
  change: (_: unknown, options: TextStageOptions) => textStage({ ...options, family }),
});
