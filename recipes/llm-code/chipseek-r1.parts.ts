import { groupEpisodes } from "@reins/core/episodes";
import { batchReward, type Program } from "../shared/code-rewards.ts";

/** Rewards of a design by stage. Each stage is unlocked by the one before. */
export interface StageRewards {
  readonly syntax: number;
  readonly function: number;
  /** Area of the reference relative to that of the design, at most 3. */
  readonly area: number;
}

/** A statement is a gate, and the area of a design is its number of gates. */
export function stagesOf({ failure, right, statements, reference }: Program): StageRewards {
  return {
    syntax: failure === "compile" ? 0 : 1,
    function: right ? 1 : 0,
    area: right ? Math.min(3, reference.length / 3 / statements.length) : 0,
  };
}

/** Values relative to the mean of a group, by its standard deviation; 0 if all are equal. */
export function standardised(values: readonly number[]): number[] {
  const mean = values.reduce((a, b) => a + b, 0) / values.length;
  const squares = values.reduce((sum, x) => sum + (x - mean) ** 2, 0);
  const deviation = Math.sqrt(squares / Math.max(1, values.length - 1));
  return values.map((x) => (x - mean) / (deviation + 1e-6));
}

/** The curriculum weight of syntax: a running mean of the share of failures, with 0.9 for the past. */
export const curriculum = (weight: number, successRate: number): number =>
  0.9 * weight + 0.1 * Math.max(0, 1 - successRate);

/** Advantages: each stage relative to the group, syntax with its curriculum weight. Without `area` the last stage is missing. */
export const hierarchical = (area: boolean) => ({
  change: (stage: Parameters<ReturnType<typeof batchReward>>[0]) => {
    let weight = 1;
    return batchReward((programs, episodes) => {
      const stages = programs.map(stagesOf);
      weight = curriculum(weight, stages.reduce((sum, s) => sum + s.syntax, 0) / stages.length);
      const out = programs.map(() => 0);
      for (const group of groupEpisodes(episodes.map((episode, i) => ({ episode, i })))) {
        const advantages = (of: (s: StageRewards) => number) =>
          standardised(group.map(({ i }) => of(stages[i])));
        const [syntax, works, small] = [
          advantages((s) => s.syntax),
          advantages((s) => s.function),
          advantages((s) => s.area),
        ];
        for (const [k, { i }] of group.entries())
          out[i] = weight * syntax[k] + works[k] + (area ? small[k] : 0);
      }
      return out;
    })(stage);
  },
});
