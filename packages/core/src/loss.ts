import { add, type Tensor } from "@reins/tensor";
import type { Columns } from "./batch.ts";
import { fail } from "./errors.ts";
import {
  type Acting,
  isScoring,
  type Likelihood,
  noLikelihood,
  type Scored,
  type Scoring,
} from "./policy.ts";

/** Input of a loss term. */
export interface Material {
  /** The current policy's scores of the recorded actions. */
  readonly scored: Scored;
  /** The minibatch, with the target's columns (`advantage`, `return`) among them. */
  readonly columns: Columns;
  /** If `columns` are a part of a minibatch: `alive` of the whole minibatch, for means over it. */
  readonly whole?: Tensor;
  /** A key for terms that need random numbers. */
  readonly key: Tensor;
  /** Logs the mean of a tensor as a metric. */
  report(name: string, value: Tensor): void;
}

/** A term of a loss. `value` gives one number per step; the learner takes the mean over the steps that enter the loss. */
export interface Term {
  /** The likelihood that it needs; policies without it are rejected. */
  readonly needs?: { readonly likelihood: Likelihood; readonly for: string };
  /** Whether it stays correct for batches of older weights; false if not, undefined if it makes no difference. */
  readonly corrects?: boolean;
  value(material: Material): Tensor;
}

/** The sum of several terms. */
export function sum(...terms: Term[]): Term {
  return {
    needs: terms.find((t) => t.needs?.likelihood === "exact")?.needs ?? terms.find((t) => t.needs)?.needs,
    // A term with `corrects: false` makes the sum incorrect; terms that leave it undefined do not matter.
    corrects: terms.some((t) => t.corrects) && terms.every((t) => t.corrects !== false),
    value: (m) => terms.map((t) => t.value(m)).reduce((a, b) => add(a, b)),
  };
}

/** Returns the policy, or throws if it cannot score actions as the loss needs. */
export function admitPolicy<P extends Acting | Scoring>(term: Term, policy: P, name: string): P & Scoring {
  const { needs } = term;
  if (!isScoring(policy)) return noLikelihood(name, needs?.for ?? "the loss");
  if (needs?.likelihood === "exact" && policy.likelihood !== "exact")
    fail(
      name,
      `${needs.for} needs a policy with exact likelihoods; this one has "${policy.likelihood}". Use a loss without ratios, such as behaviour cloning or a value-based one.`,
    );
  return policy;
}
