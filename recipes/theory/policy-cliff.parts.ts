import type { Generator } from "@reins/core/random";
import { evaluatePolicy, policyIteration, type TabularMdp, tabularMdp } from "@reins/envs";
import { actionValues, weightedByGap } from "../shared/soft-optimum.ts";

/** Discount factor of all MDPs here. */
export const gamma = 0.9;
const branching = 4;

/**
 * A random MDP in which two actions of every state are optimal. Action values are chosen first, and rewards follow from the
 * Bellman equation: r(s, a) = Q(s, a) − γ Σ P V.
 */
export function tiedMdp(random: Generator, states: number, actions: number): TabularMdp {
  const best = random.fillRandom(new Float64Array(states));
  const start = new Array<number>(states).fill(1 / states);
  return tabularMdp({ id: "tied MDP", states, actions, start }, (s, a) => {
    const shares = Array.from({ length: branching }, () => random.exponential());
    const sum = shares.reduce((x, y) => x + y);
    const next = random.permutation(states);
    const future = shares.reduce((v, share, i) => v + (share / sum) * best[next[i]], 0);
    const q = a < 2 ? best[s] : best[s] - random.exponential(0.3);
    const outcome = { reward: q - gamma * future, terminated: false };
    return shares.map((share, i) => ({ ...outcome, probability: share / sum, state: next[i] }));
  });
}

/** The MDP whose rewards change by these numbers, one for each state and action. */
export const shifted = (mdp: TabularMdp, change: ArrayLike<number>): TabularMdp => ({
  ...mdp,
  transition: mdp.transition.map((row, s) =>
    row.map((outcomes, a) => outcomes.map((o) => ({ ...o, reward: o.reward + change[s * mdp.actions + a] }))),
  ),
});

/** Uniform over the actions whose optimal value is within `tolerance` of the best. */
export const nearOptimal = (mdp: TabularMdp, tolerance: number): Float64Array =>
  weightedByGap(mdp, actionValues(mdp, policyIteration(mdp, { gamma }).values, gamma), (gap) =>
    Number(gap <= tolerance),
  );

/** The mean of the optimal policies under random changes of the reward of this size. */
export function averaged(mdp: TabularMdp, size: number, changes: readonly Float64Array[]): Float64Array {
  const policies = changes.map((change) =>
    nearOptimal(
      shifted(
        mdp,
        change.map((x) => size * x),
      ),
      1e-9,
    ),
  );
  return policies[0].map((_, i) => policies.reduce((sum, p) => sum + p[i], 0) / policies.length);
}

/** The share of the value between random actions and the optimum that a policy loses. */
export function shareLost(mdp: TabularMdp, policy: Float64Array): number {
  const mean = (values: Float64Array) => values.reduce((x, y) => x + y) / mdp.states;
  const best = mean(policyIteration(mdp, { gamma }).values);
  const random = mean(
    evaluatePolicy(
      mdp,
      policy.map(() => 1 / mdp.actions),
      { gamma },
    ),
  );
  return (best - mean(evaluatePolicy(mdp, policy, { gamma }))) / (best - random);
}

/** The largest randomness, between 1e-6 and 10, that loses at most this share of the value. */
export function calibrated(loss: (randomness: number) => number, most: number): number {
  let [low, high] = [1e-6, 10];
  for (let i = 0; i < 25; i++) {
    const middle = Math.sqrt(low * high);
    if (loss(middle) <= most) low = middle;
    else high = middle;
  }
  return low;
}
