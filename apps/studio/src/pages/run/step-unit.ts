import type { RunDetail } from "@reins/studio/wire";

/** What a run counts as steps: language runs count tokens. */
export const stepUnit = ({ transcripts }: Pick<RunDetail, "transcripts">): "tokens" | "steps" =>
  transcripts ? "tokens" : "steps";
