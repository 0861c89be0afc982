import { add, type Tensor } from "@reins/tensor";
import { fail } from "./errors.ts";
import type { Judged, Likelihood } from "./policy.ts";
import type { Columns } from "./target.ts";

/** What a term of a loss may read. */
export interface Material {
  /** What the policy, as it is now, says about the recorded actions. */
  readonly judged: Judged;
  /** The minibatch, with the target's columns (`advantage`, `return`) among them. */
  readonly columns: Columns;
  /** Fresh random numbers, for terms that need some. */
  readonly key: Tensor;
  /** Notes a number for the metrics: the mean of the tensor. */
  report(name: string, value: Tensor): void;
}

/** A part of a loss. `value` gives one number for each step; the learner takes their mean over the steps that count. */
export interface Term {
  /** Refuses policies whose likelihood it cannot work with. */
  readonly needs?: { readonly likelihood: Likelihood; readonly for: string };
  /** It stays correct when the batch was made by older weights. */
  readonly corrects?: boolean;
  value(material: Material): Tensor;
}

/** The sum of several terms. */
export function sum(...terms: Term[]): Term {
  return {
    needs: terms.find((t) => t.needs?.likelihood === "exact")?.needs ?? terms.find((t) => t.needs)?.needs,
    corrects: terms.some((t) => t.corrects),
    value: (m) => terms.map((t) => t.value(m)).reduce((a, b) => add(a, b)),
  };
}

/** Stops with the reason if a policy's likelihood does not suffice for a loss. */
export function admitPolicy(term: Term, likelihood: Likelihood, name: string): void {
  const { needs } = term;
  if (!needs) return;
  const rank = { none: 0, bound: 1, exact: 2 };
  if (rank[likelihood] < rank[needs.likelihood])
    fail(
      name,
      `${needs.for} needs a policy of ${needs.likelihood} likelihood; this one's is "${likelihood}". Use a loss without ratios, such as behaviour cloning or a value-based one.`,
    );
}
