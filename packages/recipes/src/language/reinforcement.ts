import { type Algorithm, Run, type Stage, type Task } from "@reins/core";
import { type LanguageModel, type TextStageOptions, textStage } from "@reins/language";
import { leaves } from "@reins/tensor";
import { mean } from "../claims/table.ts";
import type { Outcome } from "../outcome.ts";
import { RunLog, roundOf } from "../run-log.ts";
import { stageOptions, textPlace } from "./model.ts";
import type { LanguageArmOptions } from "./options.ts";
import { type LevelScore, overLevels, type Score, scorer, scoreValues } from "./score.ts";

/** Settings of {@link reinforceArm}. */
export interface ReinforceOptions extends LanguageArmOptions, Omit<Score, "levels"> {
  readonly start: LanguageModel;
  readonly algorithm: Algorithm;
  /** Budget in generated tokens. */
  readonly steps: number;
  readonly seed: number;
  /** The source of problems (default: the algorithm's own). */
  readonly source?: Task;
  /** Changes the stage before training: another judge, another rollout. */
  readonly change?: (stage: Stage, options: TextStageOptions) => Stage;
  /** Levels to evaluate, with equal weight (default: the imitated ones). */
  readonly measured?: readonly number[];
  /** Metrics to average over all rounds. */
  readonly also?: readonly string[];
  /** Whether the run ends before the batch that would exceed the budget (default false: with it). */
  readonly strict?: boolean;
}

/** Result of a run on a language task. */
export interface ReinforceResult extends Outcome {
  /** Held-out accuracy before training. */
  readonly before: number;
  /** Held-out accuracy at each evaluation, the mean over levels. The last is `accuracy`. */
  readonly curve: readonly number[];
  /** Final results per level. */
  readonly byLevel: readonly LevelScore[];
  readonly run: Run;
}

/** Metrics that are always averaged over all rounds: group statistics, and those that explain a result. */
const usual = [
  "reward/flat",
  "batch/samples",
  "batch/groups",
  "policy/entropy",
  "policy/clipped",
  "policy/kl",
  "reward/mean",
  "gradient/norm",
];

/**
 * Trains an imitated model with rewards. Its values are those of {@link languageArm}: `accuracy` at the end, `area`, the mean of the curve, and more.
 */
export async function reinforceArm(o: ReinforceOptions): Promise<ReinforceResult> {
  const { change = (s: Stage) => s, measured, looks = 4, samples = 1, also = [], seed, steps } = o;
  const options = stageOptions(o, o.start);
  const { algorithm, source } = o;
  const env = textPlace(o, change(textStage(options), options));
  const run = new Run({ algorithm, env, task: source, steps, seed });
  const score = scorer(o, o.start, { ...o, levels: measured }, seed);
  const look = (count?: number) => score(run.process.acting!.weights, count);
  const log = new RunLog([...new Set([...usual, ...also])]);
  const curve: number[] = [];
  let updated: number | undefined;
  const before = overLevels(await look(), "solved");
  let learned: Learned = { updates: 0, steps: 0, means: {} };
  while (!run.finished) {
    const undo = o.strict ? undoOf(run) : undefined;
    await roundOf(run, log);
    if (undo && run.steps > steps) undo();
    else learned = { updates: run.metrics.updates, steps: run.steps, means: log.means };
    while (curve.length < looks - 1 && run.steps >= ((curve.length + 1) * steps) / looks)
      curve.push(overLevels(await look(), "solved"));
    if (updated === undefined && run.metrics.updates >= (o.updates ?? Number.POSITIVE_INFINITY))
      updated = overLevels(await look(), "solved");
  }
  const byLevel = await look(samples);
  curve.push(overLevels(byLevel, "solved"));
  const { "reward/flat": flat, "batch/samples": answers, "batch/groups": groups, ...means } = learned.means;
  const { updates } = learned;
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
  return { values, early, used: learned.steps, before, curve, byLevel, run };
}

/** A run's progress after its last batch. */
interface Learned {
  readonly updates: number;
  readonly steps: number;
  readonly means: { readonly [name: string]: number };
}

/** A function that restores the current weights. */
function undoOf(run: Run): () => void {
  const weights = leaves(run.process.acting!.weights);
  const kept = weights.map((t) => t.data.slice());
  return () => {
    for (const [i, t] of weights.entries()) t.data.set(kept[i]);
  };
}
