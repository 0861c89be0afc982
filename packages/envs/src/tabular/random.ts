import type { Generator } from "@reins/core/random";
import { type TabularMdp, tabularMdp } from "./mdp.ts";

/** Options of a random MDP. */
export interface RandomMdpOptions {
  readonly states: number;
  readonly actions: number;
  /** Possible next states of each pair (default: all). */
  readonly branching?: number;
}

/**
 * A random MDP without terminal states: each pair has a reward in [0, 1) and leads to `branching` states with
 * probabilities uniform on the simplex. Archibald, McKinnon and Thomas, "On the Generation of Markov Decision
 * Processes" (1995).
 */
export function randomMdp(random: Generator, options: RandomMdpOptions): TabularMdp {
  const { states, actions, branching = states } = options;
  return tabularMdp(
    { id: "random MDP", states, actions, start: Array.from({ length: states }, () => 1 / states) },
    () => {
      const reward = random.random();
      const shares = Array.from({ length: branching }, () => random.exponential());
      const sum = shares.reduce((a, b) => a + b);
      const next = random.permutation(states);
      return shares.map((share, i) => ({
        probability: share / sum,
        state: next[i],
        reward,
        terminated: false,
      }));
    },
  );
}

/**
 * A mixture of two MDPs: with probability `share` the outcome of `other`, else of `one`; every outcome has the
 * expected reward of the mixture.
 */
export function mixMdps(one: TabularMdp, other: TabularMdp, share: number): TabularMdp {
  return tabularMdp(one, (s, a) => {
    const [most, rest] = [one.transition[s][a], other.transition[s][a]];
    const mean = (list: typeof most) => list.reduce((sum, o) => sum + o.probability * o.reward, 0);
    const reward = (1 - share) * mean(most) + share * mean(rest);
    return [
      ...most.map((o) => ({ ...o, reward, probability: (1 - share) * o.probability })),
      ...rest.map((o) => ({ ...o, reward, probability: share * o.probability })),
    ];
  });
}
