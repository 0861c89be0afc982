import type { Generator } from "@reins/core";
import type { Outcome, TabularMdp } from "./mdp.ts";

/** Draws what happens when an action is taken in a state. */
export function sampleOutcome(
  { transition }: TabularMdp,
  state: number,
  action: number,
  random: Generator,
): Outcome {
  const outcomes = transition[state][action];
  let u = random.random();
  for (const outcome of outcomes) if ((u -= outcome.probability) < 0) return outcome;
  // Rounding may leave a little after the last.
  return outcomes[outcomes.length - 1];
}
