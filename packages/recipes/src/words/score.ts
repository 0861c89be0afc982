import type { Stage } from "@reins/core";
import type { LanguageModel } from "@reins/language";
import type { Tree } from "@reins/tensor";
import { byName } from "../by-name.ts";
import { mean } from "../claims/table.ts";
import { stageFor } from "./model.ts";
import type { WordsOptions } from "./options.ts";

/** How a model is measured: by held-out problems, whose answers are drawn. */
export interface Score {
  /** Levels that are measured, with equal weight; those that are played by default: longer problems than any that was learned from. */
  readonly levels?: readonly number[];
  /** Held-out problems of each level (default 200). */
  readonly problems?: number;
  /** Answers to each problem at the end, for pass@k and maj@k (default 1). On the way there is one. */
  readonly samples?: number;
  /** Whether answers are written without chance (default false). */
  readonly greedy?: boolean;
  /** Times that accuracy is measured on the way, evenly spaced, the end among them (default 4). */
  readonly looks?: number;
  /** Updates after which accuracy is measured once more, as `accuracy/updates`, for claims at equal updates; at the end if there are fewer. */
  readonly updates?: number;
}

/** What was found at one level. */
export interface LevelScore {
  readonly level: number;
  /** Share of answers that are right. */
  readonly solved: number;
  /** Mean tokens of an answer. */
  readonly tokens: number;
  /** pass@k and maj@k of all samples. */
  readonly pass: number;
  readonly majority: number;
  readonly calibration: number;
  readonly entropy: number;
  /** What else was counted, as means: `turns`, `calls` and `calls/failed` of conversations, `term/…` of the score. */
  readonly counts: { readonly [name: string]: number };
}

/** Measures weights at each level. */
export function scorer(
  o: WordsOptions,
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

/** The numbers of an evaluation by name: of all levels together, and what is solved and how long answers are at each. */
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

/** What was counted, of all levels together and of each. */
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
