import { fail } from "@reins/core";
import type { Generator } from "@reins/core/random";
import { real } from "@reins/tensor";
import { solveInPlace } from "./evaluate.ts";
import type { TabularMdp } from "./mdp.ts";
import { sampleOutcome } from "./sample.ts";

/** Linear action values, and their softmax policy. */
export interface LinearSarsa {
  readonly mdp: TabularMdp;
  /** One row for each state and action: `features[state * actions + action]`. */
  readonly features: readonly Float64Array[];
  readonly gamma: number;
  /** Temperature of the policy. Higher follows the values less. */
  readonly temperature: number;
}

/** Linear value: the inner product of weights and features. */
export function innerProduct(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

/** Probability of each action in a state, by softmax over its values. */
export function softmaxPolicy(
  { mdp: { actions }, features, temperature }: LinearSarsa,
  weights: Float64Array,
  state: number,
  out = new Float64Array(actions),
): Float64Array {
  let high = Number.NEGATIVE_INFINITY;
  for (let a = 0; a < actions; a++)
    high = Math.max(high, (out[a] = innerProduct(features[state * actions + a], weights) / temperature));
  let sum = 0;
  for (let a = 0; a < actions; a++) sum += out[a] = real.exp(out[a] - high);
  for (let a = 0; a < actions; a++) out[a] /= sum;
  return out;
}

/** SARSA from state 0, whose policy follows its current weights: they may be set from outside between steps. */
export function linearSarsa(problem: LinearSarsa, random: Generator) {
  const { mdp, features, gamma } = problem;
  const weights = new Float64Array(features[0].length);
  const policy = new Float64Array(mdp.actions);
  const draw = (s: number) => random.choice(mdp.actions, softmaxPolicy(problem, weights, s, policy));
  let state = 0;
  let action = draw(state);
  return {
    weights,
    step(learningRate: number): void {
      const outcome = sampleOutcome(mdp, state, action, random);
      const next = draw(outcome.state);
      const now = features[state * mdp.actions + action];
      const then = features[outcome.state * mdp.actions + next];
      const error = outcome.reward + gamma * innerProduct(then, weights) - innerProduct(now, weights);
      for (let i = 0; i < weights.length; i++) weights[i] += learningRate * error * now[i];
      [state, action] = [outcome.state, next];
    },
  };
}

/**
 * The fixed point of SARSA: the TD fixed point under the policy that the weights define. Found by repeatedly
 * solving for the fixed point of a fixed policy, which converges if the policy is smooth in the values. Episodes
 * must not end.
 */
export function sarsaFixedPoint(
  problem: LinearSarsa,
  { tolerance = 1e-12, maxRounds = 1000 } = {},
): Float64Array {
  let weights: Float64Array = new Float64Array(problem.features[0].length);
  for (let round = 0; round < maxRounds; round++) {
    const better = tdFixedPoint(problem, weights);
    const change = better.reduce((most, w, i) => Math.max(most, Math.abs(w - weights[i])), 0);
    weights = better;
    if (change <= tolerance) return weights;
  }
  return fail(problem.mdp.id, `the weights still move after ${maxRounds} rounds. Use a higher temperature.`);
}

/** Solves E[φ (φ - γ φ')ᵀ] w = E[φ r] under the state-action distribution of the policy of `weights`. */
function tdFixedPoint(problem: LinearSarsa, weights: Float64Array): Float64Array {
  const { mdp, features, gamma } = problem;
  const { states, actions, transition } = mdp;
  const size = weights.length;
  const policy = Array.from({ length: states }, (_, s) => softmaxPolicy(problem, weights, s));
  const often = stationary(mdp, policy);
  // The expected features of a state over its actions.
  const expected = policy.map((row, s) => {
    const mean = new Float64Array(size);
    row.forEach((p, a) => features[s * actions + a].forEach((f, i) => (mean[i] += p * f)));
    return mean;
  });
  const matrix = new Float64Array(size * size);
  const right = new Float64Array(size);
  for (let s = 0; s < states; s++)
    for (let a = 0; a < actions; a++) {
      const now = features[s * actions + a];
      const change = now.slice();
      let reward = 0;
      for (const o of transition[s][a]) {
        reward += o.probability * o.reward;
        for (let i = 0; i < size; i++) change[i] -= gamma * o.probability * expected[o.state][i];
      }
      const weight = often[s] * policy[s][a];
      for (let i = 0; i < size; i++) {
        right[i] += weight * now[i] * reward;
        for (let j = 0; j < size; j++) matrix[i * size + j] += weight * now[i] * change[j];
      }
    }
  if (!solveInPlace(matrix, right)) fail(mdp.id, "the features are linearly dependent. Leave some out.");
  return right;
}

/** The stationary distribution. */
function stationary({ states, transition }: TabularMdp, policy: readonly Float64Array[]): Float64Array {
  // (Pᵀ - I) d = 0 with one equation replaced by: the probabilities add up to 1.
  const matrix = new Float64Array(states * states);
  const right = new Float64Array(states);
  for (let s = 0; s < states; s++) {
    matrix[s * states + s] -= 1;
    policy[s].forEach((p, a) => {
      for (const o of transition[s][a]) matrix[o.state * states + s] += p * o.probability;
    });
  }
  matrix.fill(1, 0, states);
  right[0] = 1;
  solveInPlace(matrix, right);
  return right;
}
