import type { Generator } from "@reins/core/random";
import { QTable, type TabularStep } from "./q-table.ts";

/** An exploration strategy that may last several steps. */
export interface ExplorationStrategy {
  /** The action in a state. */
  act(state: number): number;
  /** Called when the strategy is selected or a new episode begins. */
  begin?(): void;
  /** Whether a multi-step behaviour is under way. */
  readonly lasts?: boolean;
  /** Learns from a step, whichever strategy chose it. */
  told?(step: TabularStep): void;
}

/** Uniform random actions. */
export const uniformRandom = (actions: number, random: Generator): ExplorationStrategy => ({
  act: () => random.integers(0, actions),
});

/** A random action repeated for n steps, with a probability proportional to n⁻² (εz-greedy; Dabney et al., 2020). */
export function repeatedRandom(actions: number, random: Generator, longest = 100): ExplorationStrategy {
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

/**
 * One strategy, and with some probability another for as long as that lasts: ε-greedy with {@link uniformRandom},
 * εz-greedy with {@link repeatedRandom}.
 */
export function epsilonMixture(
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

/** Exploration bonus of a state by its visit count. */
export const novelty = (visits: number): number => 1 / Math.sqrt(visits);

/** Seeks rarely visited states: greedy in a value table learned from the exploration bonus alone. */
export function noveltySeeking(
  states: number,
  actions: number,
  random: Generator,
  { rate = 0.3, gamma = 0.95, start = 0 } = {},
): ExplorationStrategy & { readonly values: QTable } {
  // Untried actions start with the maximum bonus, so they are tried first.
  const values = new QTable(states, actions, random, 1 / (1 - gamma));
  const visits = new Float64Array(states);
  return {
    values,
    act: (state) => values.best(state),
    told({ state, action, next, terminated }) {
      // Novelty outlasts an episode: values bootstrap across its end (Burda et al., 2018).
      const goesOn = { state, action, next: terminated ? start : next, terminated: false };
      values.learn({ ...goesOn, reward: novelty(++visits[next]) }, rate, gamma);
    },
  };
}
