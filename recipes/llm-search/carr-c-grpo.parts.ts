import { carriedOut, type ToolOutcome } from "../shared/tool-rewards.ts";

/**
 * Share of a question's steps, its rubrics, whose entry was looked up and which are connected to the answer through
 * other such steps. A question without steps has no rubric.
 */
export function rubrics({ way, known, right, made }: ToolOutcome): number {
  if (known || !right) return 0;
  const found = new Set(carriedOut({ made }));
  let met = 0;
  while (met < way.length && found.has(way[way.length - 1 - met])) met++;
  return met / way.length;
}

/** A correct answer is worth 1, of which the weight depends on its rubrics; a wrong one is worth 0. */
export const citationAware =
  (weight: number) =>
  (o: ToolOutcome): number =>
    o.right ? 1 - weight + weight * rubrics(o) : 0;
