import type { ToolOutcome } from "../shared/tool-rewards.ts";

/** 1 for a correct answer, 0 for a wrong one, −1 for a conversation without a well-formed answer. */
export const formatGated = ({ right, wellFormed, finished }: ToolOutcome): number =>
  wellFormed && finished ? Number(right) : -1;
