import type { Outcome, TabularMdp } from "./mdp.ts";

/** What is added up, and for how long. */
export interface FiniteOptions {
  /** Steps in an episode. */
  readonly horizon: number;
  /** What counts at a step (default: its reward), such as 1 for each step to find how long episodes are. */
  readonly counts?: (outcome: Outcome) => number;
}

/** The exact sum over episodes of a fixed number of steps when a policy is followed from each state. */
export function finiteValues(
  mdp: TabularMdp,
  policy: Int32Array,
  { horizon, counts = (o) => o.reward }: FiniteOptions,
): Float64Array {
  let values = new Float64Array(mdp.states);
  for (let left = 1; left <= horizon; left++)
    values = values.map((_, s) => {
      let sum = 0;
      for (const o of mdp.transition[s][policy[s]])
        sum += o.probability * (counts(o) + (o.terminated ? 0 : values[o.state]));
      return sum;
    });
  return values;
}
