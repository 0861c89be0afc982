import { mostTurns } from "../shared/tool-questions.ts";
import { carriedOut, type ToolOutcome } from "../shared/tool-rewards.ts";

/** Share of a plan's calls that are needed, or of the needed calls that were made, whichever is smaller. */
export function rationality(o: ToolOutcome): number {
  const carried = carriedOut(o).length;
  if (o.known) return Number(carried === 0);
  return o.done / Math.max(o.way.length, carried);
}

/** Weights of the rationality of a plan, and of its cost: the share of turns with calls. */
export interface PlanWeights {
  readonly process: number;
  readonly cost: number;
}

/** The correct answer, plus the weighted rationality, minus the weighted cost. */
export const planReward =
  ({ process, cost }: PlanWeights) =>
  (o: ToolOutcome): number =>
    Number(o.right) + process * rationality(o) - cost * (o.made.length / mostTurns);
