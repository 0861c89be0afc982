import { carriedOut, type ToolOutcome } from "../shared/tool-rewards.ts";

/** 1 if the looked-up entries are exactly those that the answer needs, 1/2 if some of them are, otherwise 0. */
export function relevance(o: ToolOutcome): number {
  const found = new Set(carriedOut(o));
  const needed = new Set(o.known ? [] : o.way);
  const common = [...found].filter((call) => needed.has(call)).length;
  if (common === needed.size && common === found.size) return 1;
  return common > 0 ? 0.5 : 0;
}

/** Format, accuracy and relevance, and a bonus if all three are complete. */
export const adaptive =
  (bonus: number) =>
  (o: ToolOutcome): number => {
    const parts = [Number(o.wellFormed && o.finished), Number(o.right), relevance(o)];
    return parts.reduce((a, b) => a + b) + (parts.every((p) => p === 1) ? bonus : 0);
  };
