import type { TabularMdp, TransitionOutcome } from "./mdp.ts";

/** The summed quantity and the horizon. */
export interface FiniteOptions {
  /** Steps per episode. */
  readonly horizon: number;
  /** The quantity at a step (default: its reward), such as 1 per step for the episode length. */
  readonly counts?: (outcome: TransitionOutcome) => number;
}

/** The exact expected sum over episodes of a fixed number of steps under a policy, from each state. */
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
