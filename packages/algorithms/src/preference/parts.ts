import {
  type AlgorithmContext,
  fail,
  type JudgedEpisode,
  type LossTerm,
  type Stage,
  type Started,
} from "@reins/core";
import { type EpisodicParts, episodic } from "@reins/core/loops";
import { stream } from "@reins/core/random";
import * as targets from "@reins/core/targets";
import * as tasks from "@reins/core/tasks";
import * as nn from "@reins/nn";
import type { LearningSettings } from "./options.ts";
import { ReferenceScores } from "./reference-scores.ts";
import { type RunningMean, withRunningMean } from "./running-mean.ts";
import { pairSelection } from "./selections.ts";

/** How a method that learns from compared completions differs from others. */
export interface PreferenceMethod {
  readonly loss: LossTerm;
  /** Whether the loss reads log-probabilities of a frozen reference policy (default true). */
  readonly reference?: boolean;
  /** Which completions of a prompt are trained on, and in which order (default: pairs, the preferred one first). */
  readonly selection?: EpisodicParts["selection"];
  /** Whether gradients of parts of a minibatch do not add up to its gradient, because completions of other prompts enter. */
  readonly wholeBatch?: boolean;
  /** Whether each completion is followed by a mismatched one, which has no score. */
  readonly mismatched?: boolean;
  /** Whether it learns from completions with labelled steps instead of compared ones. */
  readonly steps?: boolean;
  /** Further columns of a batch, one number per token (default: none). */
  readonly columns?: (
    judged: readonly JudgedEpisode[],
    stage: Stage,
  ) => { readonly [name: string]: Float32Array };
  /** A mean over the batches of the run that the loss reads. */
  readonly running?: RunningMean;
}

/** The parts of a method that learns from compared completions. */
export interface PreferenceParts extends EpisodicParts {
  readonly running?: RunningMean;
  /** Precomputed log-probabilities of the reference policy. */
  readonly precomputed?: ReferenceScores;
}

/** The episodic loop, with the state that the method saves besides. */
export function beginPreference(parts: PreferenceParts, context: AlgorithmContext): Started {
  const process = episodic(parts, context);
  if (parts.precomputed) Object.assign(process.parts, { reference: parts.precomputed });
  return parts.running ? withRunningMean(process, parts.running) : process;
}

/** The parts of a method that learns from the recorded completions of a stage. */
export function preferenceParts(
  name: string,
  o: LearningSettings,
  context: AlgorithmContext,
  method: PreferenceMethod,
): PreferenceParts {
  const {
    loss,
    reference = true,
    wholeBatch = false,
    running,
    mismatched = false,
    steps = false,
    columns,
  } = method;
  const stage = requireStage(name, context);
  const compare =
    stage.comparisons ??
    fail(
      name,
      `${context.spec.id} has no compared completions. Use a file with prompt, chosen and rejected.`,
    );
  if (wholeBatch && o.accumulate > 1)
    fail(name, `accumulate is ${o.accumulate}, but the loss compares all pairs of a batch. Set it to 1.`);
  if (o.accumulate > o.batch)
    fail(name, `accumulate is ${o.accumulate} for a batch of ${o.batch}. Set it to at most the batch.`);
  const precomputed = reference && o.precompute ? new ReferenceScores(stage.policy) : undefined;
  if (precomputed && stage.problems === undefined && !context.task)
    fail(name, "precompute is for a list of pairs; here each pair is new. Set it to false.");
  return {
    name,
    policy: stage.policy,
    rollout: (playing) => {
      precomputed?.attach(playing.weights);
      return compare.call(stage, playing, { mismatched, ...(steps ? { steps } : {}) });
    },
    // The score that the data give to a completion.
    judge: (episodes) => episodes.map((e) => ({ reward: e.score ?? 0 })),
    ...(context.task
      ? {}
      : {
          task: tasks.ofStage(stage, { seed: stream(context.seed, "tasks"), groups: o.batch, groupSize: 1 }),
        }),
    // Completions are in the loss's order already where mismatched ones follow.
    ...(mismatched ? {} : { selection: method.selection ?? pairSelection() }),
    from: "teacher",
    ...(reference && !precomputed ? { reference: { penalised: true } } : {}),
    target: (batch, rewards, judged) => ({
      ...scoreColumns(batch, rewards, judged),
      ...columns?.(judged, stage),
      ...(precomputed ? { reference: precomputed.column(judged) } : {}),
    }),
    loss,
    ...(running ? { running } : {}),
    ...(precomputed ? { precomputed } : {}),
    ...optimisation(o),
  };
}

/** The score of each completion and its group, on all of its tokens. */
export const scoreColumns: EpisodicParts["target"] = (batch, rewards) => ({
  score: targets.spread(rewards, batch),
  group: targets.spread(targets.groupsOf(batch), batch),
});

/** One update per batch. Rows keep their order, because neighbours are compared. */
export const optimisation = (o: Omit<LearningSettings, "batch" | "precompute">) => ({
  optimiser: nn.adamW({ weightDecay: o.weightDecay }),
  learningRate: o.learningRate,
  clipNorm: o.clipNorm,
  epochs: 1,
  minibatches: 1,
  accumulate: o.accumulate,
  neighbours: 2,
  normalise: "none" as const,
});

/** The stage of a language task. */
export const requireStage = (name: string, { place, spec }: AlgorithmContext): Stage =>
  place.stage ?? fail(name, `${spec.id} is not a language task: it has no stage.`);
