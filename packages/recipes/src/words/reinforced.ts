import { type Algorithm, Run, type Stage, type Task } from "@reins/core";
import { type LanguageModel, type TextStageOptions, textStage } from "@reins/language";
import { mean } from "../claims/table.ts";
import type { Outcome } from "../outcome.ts";
import { RunLog, roundOf } from "../run-log.ts";
import { stageOptions, textPlace } from "./model.ts";
import type { WordsOptions } from "./options.ts";
import { type LevelScore, overLevels, type Score, scorer, scoreValues } from "./score.ts";

/** Settings of {@link reinforced}. */
export interface ReinforcedOptions extends WordsOptions, Omit<Score, "levels"> {
  readonly start: LanguageModel;
  readonly algorithm: Algorithm;
  /** Tokens that may be written. */
  readonly steps: number;
  readonly seed: number;
  /** Problems, if not the algorithm's own. */
  readonly task?: Task;
  /** Changes the stage before anything is played: another judge, another way to play. */
  readonly change?: (stage: Stage, options: TextStageOptions) => Stage;
  /** Levels that are measured, with equal weight; those that were imitated by default. */
  readonly measured?: readonly number[];
  /** Metrics to average over all rounds. */
  readonly also?: readonly string[];
}

/** What a run in words came to. */
export interface Reinforced extends Outcome {
  /** Held-out accuracy before anything was learned. */
  readonly before: number;
  /** The same at each look, the mean over levels. The last is `accuracy`. */
  readonly curve: readonly number[];
  /** At the end, what was found at each level. */
  readonly byLevel: readonly LevelScore[];
  readonly run: Run;
}

/** What is always averaged over all rounds: how groups went, and what explains a result. */
const usual = [
  "reward/flat",
  "batch/plays",
  "batch/groups",
  "policy/entropy",
  "policy/clipped",
  "policy/kl",
  "reward/mean",
  "gradient/norm",
];

/**
 * Reinforces an imitated model. Its values are those of {@link wordsSide}: `accuracy` at the end, `area`, the mean of the curve, and more.
 */
export async function reinforced(o: ReinforcedOptions): Promise<Reinforced> {
  const { change = (s: Stage) => s, measured, looks = 4, samples = 1, also = [], seed, steps } = o;
  const options = stageOptions(o, o.start);
  const { algorithm, task } = o;
  const env = textPlace(o, change(textStage(options), options));
  const run = new Run({ algorithm, env, task, steps, seed });
  const score = scorer(o, o.start, { ...o, levels: measured }, seed);
  const look = (count?: number) => score(run.process.acting!.weights, count);
  const log = new RunLog([...new Set([...usual, ...also])]);
  const curve: number[] = [];
  let updated: number | undefined;
  const before = overLevels(await look(), "solved");
  while (!run.finished) {
    await roundOf(run, log);
    while (curve.length < looks - 1 && run.steps >= ((curve.length + 1) * steps) / looks)
      curve.push(overLevels(await look(), "solved"));
    if (updated === undefined && run.metrics.updates >= (o.updates ?? Number.POSITIVE_INFINITY))
      updated = overLevels(await look(), "solved");
  }
  const byLevel = await look(samples);
  curve.push(overLevels(byLevel, "solved"));
  const { "reward/flat": flat, "batch/plays": answers, "batch/groups": groups, ...means } = log.means;
  const { updates } = run.metrics;
  const values = {
    ...scoreValues(byLevel, samples),
    area: mean(curve),
    before,
    ...(flat !== undefined && { flat, answers, groups }),
    ...(updates !== undefined && { updates }),
    ...(o.updates && { "accuracy/updates": updated ?? curve[curve.length - 1] }),
    ...means,
  };
  const { early } = log;
  return { values, early, used: run.steps, before, curve, byLevel, run };
}
