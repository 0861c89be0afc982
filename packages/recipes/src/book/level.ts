import type { Entry } from "../recipe.ts";
import type { Result } from "./result.ts";

/**
 * How well a row is measured:
 *
 * - `mapped`: a survey, with the parts of Reins that cover it;
 * - `works`: the mechanism is tested and its first claim measured on at least 2 × 10 seeds;
 * - `measured`: the planned number of replicates in both blocks, not capped;
 * - `replicated`: a second testbed agrees. Not assigned yet, because a recipe is on one testbed.
 */
export type EvidenceLevel = "mapped" | "works" | "measured" | "replicated";

/** The level of a row; undefined if it was never run. */
export function levelOf(entry: Entry | undefined, result: Result | undefined): EvidenceLevel | undefined {
  if (entry?.kind === "mapped") return "mapped";
  if (!result) return undefined;
  const { plan, blocks } = result;
  return blocks.length > 1 && blocks[0].replicates.length >= plan.needed ? "measured" : "works";
}
