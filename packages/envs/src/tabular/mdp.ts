import { fail } from "@reins/core";

/** One thing that may happen when an action is taken in a state. */
export interface Outcome {
  readonly probability: number;
  /** The state that follows. */
  readonly state: number;
  readonly reward: number;
  /** Whether the problem ends there: the future is then worth nothing. */
  readonly terminated: boolean;
}

/** A Markov decision process written out: what may happen in every state with every action. */
export interface TabularMdp {
  readonly id: string;
  readonly states: number;
  readonly actions: number;
  /** `transition[state][action]` lists what may happen. */
  readonly transition: readonly (readonly (readonly Outcome[])[])[];
  /** Probability of each state to be the first. */
  readonly start: readonly number[];
  /** Steps after which an episode is truncated. */
  readonly maxSteps?: number;
  /** The mean return that counts as solved. */
  readonly solvedAt?: number;
}

/** A table with `outcomes(state, action)` in every place, checked. */
export function tabularMdp(
  mdp: Omit<TabularMdp, "transition">,
  outcomes: (state: number, action: number) => Outcome[],
): TabularMdp {
  const transition = Array.from({ length: mdp.states }, (_, s) =>
    Array.from({ length: mdp.actions }, (_, a) => outcomes(s, a)),
  );
  const table = { ...mdp, transition };
  checkMdp(table);
  return table;
}

/** Fails where probabilities do not add up to 1 or lead outside the table. */
export function checkMdp({ id, states, actions, transition, start }: TabularMdp): void {
  if (transition.length !== states || transition.some((row) => row.length !== actions))
    fail(id, `transition is not a table of ${states} states × ${actions} actions.`);
  if (start.length !== states || !isOne(start))
    fail(id, `start needs a probability for each of the ${states} states, with sum 1.`);
  for (let s = 0; s < states; s++)
    for (let a = 0; a < actions; a++) {
      const outcomes = transition[s][a];
      if (!isOne(outcomes.map((o) => o.probability)))
        fail(id, `probabilities of action ${a} in state ${s} do not add up to 1.`);
      for (const { state } of outcomes)
        if (!Number.isInteger(state) || state < 0 || state >= states)
          fail(id, `action ${a} in state ${s} leads to ${state}. States are 0 to ${states - 1}.`);
    }
}

function isOne(p: readonly number[]): boolean {
  return p.every((x) => x >= 0) && Math.abs(p.reduce((a, b) => a + b, 0) - 1) < 1e-9;
}
