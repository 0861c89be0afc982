import { add, type Tensor } from "@reins/tensor";
import type { Columns } from "./batch.ts";
import { fail } from "./errors.ts";
import {
  type ActingPolicy,
  type ActionScores,
  failWithoutLikelihood,
  isScoringPolicy,
  type Likelihood,
  type ScoringPolicy,
} from "./policy.ts";

/** Input of a loss term. */
export interface LossInput {
  /** The current policy's scores of the recorded actions. */
  readonly scored: ActionScores;
  /** The minibatch, with the target's columns (`advantage`, `return`) among them. */
  readonly columns: Columns;
  /** If `columns` are a part of a minibatch: `alive` of the whole minibatch, for means over it. */
  readonly whole?: Tensor;
  /** The column `episodeNumber` of the whole minibatch, beside `whole`, where some episodes have several rows. */
  readonly wholeEpisodes?: Tensor;
  /** A key for terms that need random numbers. */
  readonly key: Tensor;
  /** Logs the mean of a tensor as a metric. */
  report(name: string, value: Tensor): void;
}

/** A term of a loss. `value` gives one number per step; the learner takes the mean over the steps that enter the loss. */
export interface LossTerm {
  /** The likelihood that it needs; policies without it are rejected. */
  readonly needs?: { readonly likelihood: Likelihood; readonly for: string };
  /** Whether it stays correct for batches of older weights; false if not, undefined if it makes no difference. */
  readonly corrects?: boolean;
  value(material: LossInput): Tensor;
}

/** The sum of several terms. */
export function sum(...terms: LossTerm[]): LossTerm {
  return {
    needs: terms.find((t) => t.needs?.likelihood === "exact")?.needs ?? terms.find((t) => t.needs)?.needs,
    // A term with `corrects: false` makes the sum incorrect; terms that leave it undefined do not matter.
    corrects: terms.some((t) => t.corrects) && terms.every((t) => t.corrects !== false),
    value: (m) => terms.map((t) => t.value(m)).reduce((a, b) => add(a, b)),
  };
}

/** Returns the policy, or throws if it cannot score actions as the loss needs. */
export function checkPolicy<P extends ActingPolicy | ScoringPolicy>(
  term: LossTerm,
  policy: P,
  name: string,
): P & ScoringPolicy {
  const { needs } = term;
  if (!isScoringPolicy(policy)) return failWithoutLikelihood(name, needs?.for ?? "the loss");
  if (needs?.likelihood === "exact" && policy.likelihood !== "exact")
    fail(
      name,
      `${needs.for} needs a policy with exact likelihoods; this one has "${policy.likelihood}". Use a loss without ratios, such as behaviour cloning or a value-based one.`,
    );
  return policy;
}
