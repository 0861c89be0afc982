import type { Stage } from "@reins/core";
import type { LanguageModel } from "@reins/language";
import type { Tree } from "@reins/tensor";
import { byName } from "../by-name.ts";
import { mean } from "../claims/table.ts";
import { stageFor } from "./model.ts";
import type { LanguageArmOptions } from "./options.ts";

/** How a model is evaluated: on held-out problems, with sampled answers. */
export interface Score {
  /** Levels to evaluate, with equal weight (default: the training levels), such as longer problems than in training. */
  readonly levels?: readonly number[];
  /** Held-out problems of each level (default 200). */
  readonly problems?: number;
  /** Samples per problem at the end, for pass@k and maj@k (default 1). Intermediate evaluations have one. */
  readonly samples?: number;
  /** Whether answers are greedy (default false). */
  readonly greedy?: boolean;
  /** Number of evaluations during training, evenly spaced, including the end (default 4). */
  readonly looks?: number;
  /** Number of updates after which accuracy is also measured, as `accuracy/updates`, for claims at equal updates; at the end if there are fewer. */
  readonly updates?: number;
}

/** Results at one level. */
export interface LevelScore {
  readonly level: number;
  /** Accuracy. */
  readonly solved: number;
  /** Mean number of tokens of an answer. */
  readonly tokens: number;
  /** pass@k and maj@k of all samples. */
  readonly pass: number;
  readonly majority: number;
  readonly calibration: number;
  readonly entropy: number;
  /** Means of other counts: `turns`, `calls` and `calls/failed` of conversations, `term/…` of the score. */
  readonly counts: { readonly [name: string]: number };
}

/** Evaluates weights at each level. */
export function scorer(
  o: LanguageArmOptions,
  start: LanguageModel,
  { levels = o.levels, problems = 200, greedy = false }: Score,
  seed: number,
): (weights: Tree, samples?: number) => Promise<LevelScore[]> {
  const scales = levels.map((level) => ({ level, stage: stageFor(o, start, level) }));
  const at = async (level: number, stage: Stage, weights: Tree, samples: number): Promise<LevelScore> => {
    const seen = await stage.evaluate(weights, { episodes: problems, seed, greedy, samples });
    const { pass, majority, calibration, entropy, counts = {} } = seen.measures!;
    const tokens = mean([...seen.lengths]);
    return {
      level,
      solved: pass[0],
      tokens,
      pass: pass[samples - 1],
      majority,
      calibration,
      entropy,
      counts,
    };
  };
  return (weights, samples = 1) =>
    Promise.all(scales.map(({ level, stage }) => at(level, stage, weights, samples)));
}

/** The mean over levels. */
export const overLevels = (
  all: readonly LevelScore[],
  what: Exclude<keyof LevelScore, "level" | "counts">,
): number => mean(all.map((l) => l[what]));

/** The values of an evaluation by name: over all levels, and accuracy and length per level. */
export const scoreValues = (all: readonly LevelScore[], samples: number): { [name: string]: number } => ({
  accuracy: overLevels(all, "solved"),
  tokens: overLevels(all, "tokens"),
  entropy: overLevels(all, "entropy"),
  calibration: overLevels(all, "calibration"),
  ...(samples > 1
    ? { [`pass@${samples}`]: overLevels(all, "pass"), [`maj@${samples}`]: overLevels(all, "majority") }
    : {}),
  ...byName(
    all,
    ({ level }) => `solved/${level}`,
    ({ solved }) => solved,
  ),
  ...byName(
    all,
    ({ level }) => `tokens/${level}`,
    ({ tokens }) => tokens,
  ),
  ...counted(all),
});

/** Other counts, over all levels and per level. */
function counted(all: readonly LevelScore[]): { [name: string]: number } {
  const names = [...new Set(all.flatMap((l) => Object.keys(l.counts)))];
  const of = (name: string) => (l: LevelScore) => l.counts[name] ?? 0;
  return Object.fromEntries(
    names.flatMap((name) => [
      [name, mean(all.map(of(name)))],
      ...all.map((l) => [`${name}/${l.level}`, of(name)(l)] as const),
    ]),
  );
}
