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

/** What a term of a loss may read. */
export interface Material {
  /** What the policy, as it is now, says about the recorded actions. */
  readonly scored: Scored;
  /** The minibatch, with the target's columns (`advantage`, `return`) among them. */
  readonly columns: Columns;
  /** Where `columns` are a part of a minibatch: `alive` of all of it, for means over the whole. */
  readonly whole?: Tensor;
  /** Fresh random numbers, for terms that need some. */
  readonly key: Tensor;
  /** Notes a number for the metrics: the mean of the tensor. */
  report(name: string, value: Tensor): void;
}

/** A part of a loss. `value` gives one number for each step; the learner takes their mean over the steps that count. */
export interface Term {
  /** Refuses policies whose likelihood it cannot work with. */
  readonly needs?: { readonly likelihood: Likelihood; readonly for: string };
  /** It stays correct when the batch was made by older weights; false where it would not. */
  readonly corrects?: boolean;
  value(material: Material): Tensor;
}

/** The sum of several terms. */
export function sum(...terms: Term[]): Term {
  return {
    needs: terms.find((t) => t.needs?.likelihood === "exact")?.needs ?? terms.find((t) => t.needs)?.needs,
    // One that would need to and does not spoils the sum; to those that say nothing of it, it does not matter.
    corrects: terms.some((t) => t.corrects) && terms.every((t) => t.corrects !== false),
    value: (m) => terms.map((t) => t.value(m)).reduce((a, b) => add(a, b)),
  };
}

/** The policy, if it can score actions as well as a loss needs; otherwise an error that says why not. */
export function admitPolicy<P extends Acting | Scoring>(term: Term, policy: P, name: string): P & Scoring {
  const { needs } = term;
  if (!isScoring(policy)) return noLikelihood(name, needs?.for ?? "the loss");
  if (needs?.likelihood === "exact" && policy.likelihood !== "exact")
    fail(
      name,
      `${needs.for} needs a policy of exact likelihood; this one's is "${policy.likelihood}". Use a loss without ratios, such as behaviour cloning or a value-based one.`,
    );
  return policy;
}
