import { counted, type Result } from "@reins/recipes/book";
import type { RecipeArm, RecipeResult } from "@reins/studio";
import { claimsOf } from "./claims.ts";

/** A result as a page shows it. */
export function resultOf(result: Result): RecipeResult {
  const { metrics, blocks, plan, judgedBefore = [], machine } = result;
  const { measuredAt, wallSeconds, processorSeconds } = result;
  return {
    claims: claimsOf(result),
    metrics: Object.fromEntries(
      Object.entries(metrics).map(([name, { about, better }]) => [name, { about, better }]),
    ),
    tuned: result.tuned ?? Object.keys(metrics)[0],
    sides: sidesIn(result),
    blocks: blocks.map(({ firstSeed, replicates, values, failed }, i) => ({
      firstSeed,
      replicates,
      isCheck: i >= counted,
      values,
      ...(failed && { failed }),
    })),
    plan,
    judgedBefore,
    measuredAt,
    machine: `${machine.backend} on ${machine.processor}`,
    wallSeconds,
    processorSeconds,
  };
}

/** The system, its baselines, then controls. */
function sidesIn({ system, baselines, settings, tuning, blocks }: Result): RecipeArm[] {
  return Object.keys(blocks[0].values).map((name): RecipeArm => {
    const tuned = tuning.find((t) => t.side === name);
    return {
      name,
      role: name === system ? "system" : baselines.includes(name) ? "baseline" : "ablation",
      settings: settings[name] ?? {},
      ...(tuned && {
        points: tuned.points,
        ...(tuned.rivals && { rivals: tuned.rivals }),
        ...(tuned.edges && { edges: tuned.edges }),
      }),
    };
  });
}
