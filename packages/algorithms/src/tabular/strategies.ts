import type { Generator } from "@reins/core";
import { type ExploredStep, QTable } from "./q-table.ts";

/** A way to act that may last over several steps. */
export interface ExplorationStrategy {
  /** What to do in a state. */
  act(state: number): number;
  /** It is taken up, or a new episode begins. */
  begin?(): void;
  /** Whether it has begun something that goes on. */
  readonly lasts?: boolean;
  /** What a step came to, whoever chose it. */
  told?(step: ExploredStep): void;
}

/** Any action. */
export const randomly = (actions: number, random: Generator): ExplorationStrategy => ({
  act: () => random.integers(0, actions),
});

/** Any action, again and again: for n steps with a probability that falls with the square of n (εz-greedy; Dabney et al., 2020). */
export function persistently(actions: number, random: Generator, longest = 100): ExplorationStrategy {
  let [action, left] = [0, 0];
  const chances = Array.from({ length: longest }, (_, n) => 1 / (n + 1) ** 2);
  const total = chances.reduce((a, b) => a + b);
  const lengths = chances.map((c) => c / total);
  return {
    get lasts() {
      return left > 0;
    },
    begin: () => {
      left = 0;
    },
    act() {
      if (left === 0) [action, left] = [random.integers(0, actions), 1 + random.choice(longest, lengths)];
      left--;
      return action;
    },
  };
}

/** One strategy, and now and then another for as long as that lasts: ε-greedy with {@link randomly}, εz-greedy with {@link persistently}. */
export function sometimes(
  mostly: ExplorationStrategy,
  other: ExplorationStrategy,
  epsilon: number,
  random: Generator,
): ExplorationStrategy {
  return {
    begin: () => other.begin?.(),
    told(step) {
      mostly.told?.(step);
      other.told?.(step);
    },
    act: (state) => (other.lasts || random.random() < epsilon ? other : mostly).act(state),
  };
}

/** What novelty pays for a state that was visited so often. */
export const novelty = (visits: number): number => 1 / Math.sqrt(visits);

/** Towards states that were visited seldom: the best action by values of its own, which are learned from novelty alone. */
export function curiously(
  states: number,
  actions: number,
  random: Generator,
  { rate = 0.3, gamma = 0.95, start = 0 } = {},
): ExplorationStrategy & { readonly values: QTable } {
  // As if all that was never tried were new for ever: it is tried first.
  const values = new QTable(states, actions, random, 1 / (1 - gamma));
  const visits = new Float64Array(states);
  return {
    values,
    act: (state) => values.best(state),
    told({ state, action, next, terminated }) {
      // What is new outlasts an episode: after its end comes the beginning of another (Burda et al., 2018).
      const goesOn = { state, action, next: terminated ? start : next, terminated: false };
      values.learn({ ...goesOn, reward: novelty(++visits[next]) }, rate, gamma);
    },
  };
}
