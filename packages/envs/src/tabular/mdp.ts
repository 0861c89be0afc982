import { fail } from "@reins/core";

/** A possible outcome of an action in a state. */
export interface TransitionOutcome {
  readonly probability: number;
  /** The next state. */
  readonly state: number;
  readonly reward: number;
  /** Whether the outcome is terminal: the future value is 0. */
  readonly terminated: boolean;
}

/** A tabular Markov decision process: the possible outcomes of every action in every state. */
export interface TabularMdp {
  readonly id: string;
  readonly states: number;
  readonly actions: number;
  /** `transition[state][action]` lists the outcomes. */
  readonly transition: readonly (readonly (readonly TransitionOutcome[])[])[];
  /** Initial state distribution. */
  readonly start: readonly number[];
  /** Maximum steps per episode before truncation. */
  readonly maxSteps?: number;
  /** The mean return that counts as solved. */
  readonly solvedAt?: number;
}

/** A table filled with `outcomes(state, action)`, validated. */
export function tabularMdp(
  mdp: Omit<TabularMdp, "transition">,
  outcomes: (state: number, action: number) => TransitionOutcome[],
): TabularMdp {
  const transition = Array.from({ length: mdp.states }, (_, s) =>
    Array.from({ length: mdp.actions }, (_, a) => outcomes(s, a)),
  );
  const table = { ...mdp, transition };
  checkMdp(table);
  return table;
}

/** Fails if probabilities do not add up to 1 or states are out of range. */
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
