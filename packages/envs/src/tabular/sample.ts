import type { Generator } from "@reins/core/random";
import type { TabularMdp, TransitionOutcome } from "./mdp.ts";

/** Samples the outcome of an action in a state. */
export function sampleOutcome(
  { transition }: TabularMdp,
  state: number,
  action: number,
  random: Generator,
): TransitionOutcome {
  const outcomes = transition[state][action];
  let u = random.random();
  for (const outcome of outcomes) if ((u -= outcome.probability) < 0) return outcome;
  // Rounding may leave a remainder after the last.
  return outcomes[outcomes.length - 1];
}
