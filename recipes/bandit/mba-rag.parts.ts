import type { Generator } from "@reins/core/random";
import { innerProduct } from "@reins/envs";
import { real } from "@reins/tensor";

/** Retrieval steps of the strategies: answer at once, after one retrieval, after several. */
export const steps = [0, 1, 3] as const;

/** Length of a question's encoding, with a constant. */
export const size = 13;

/** A question: its encoding, and how likely each strategy leads to the right answer. */
export interface Question {
  readonly code: Float64Array;
  readonly success: Float64Array;
}

/** A domain: how encodings depend on the number of hops, and how strategies answer questions with that many. */
export interface Domain {
  readonly directions: readonly Float64Array[];
  readonly success: readonly (readonly number[])[];
}

export function randomDomain(random: Generator): Domain {
  const around = (p: number) => Math.min(0.95, Math.max(0.02, p + random.uniform(-0.08, 0.08)));
  return {
    directions: [0, 1, 2].map(() => random.fillNormal(new Float64Array(size - 1))),
    // Questions without a hop are known to the model and confused by documents; further hops need further steps.
    success: [
      [0.85, 0.78, 0.7],
      [0.25, 0.75, 0.72],
      [0.08, 0.35, 0.65],
    ].map((row) => row.map(around)),
  };
}

/** A question of 0, 1 or 2 hops, whose encoding is noisy and whose difficulty varies. */
export function sampleQuestion(domain: Domain, random: Generator): Question {
  const hops = random.integers(3);
  const code = Float64Array.from({ length: size }, (_, i) =>
    i === size - 1 ? 1 : 0.5 * domain.directions[hops][i] + random.normal(),
  );
  const ease = random.uniform(-0.15, 0.15);
  return {
    code,
    success: Float64Array.from(domain.success[hops], (p) => Math.min(1, Math.max(0, p + ease))),
  };
}

/** One linear function for each strategy. */
export class Scores {
  readonly weights = steps.map(() => new Float64Array(size));

  of(code: Float64Array): number[] {
    return this.weights.map((w) => innerProduct(w, code));
  }

  /** A step against the squared error of one strategy's score (equation 3: the reward of the others is unknown). */
  regress(code: Float64Array, strategy: number, reward: number, learningRate: number): void {
    const w = this.weights[strategy];
    const error = reward - innerProduct(w, code);
    for (let i = 0; i < size; i++) w[i] += learningRate * error * code[i];
  }

  /** A step along the log-likelihood of a label. */
  classify(code: Float64Array, label: number, learningRate: number): void {
    const scores = this.of(code);
    const top = Math.max(...scores);
    const raised = scores.map((s) => real.exp(s - top));
    const sum = raised.reduce((a, b) => a + b);
    this.weights.forEach((w, a) => {
      const error = Number(a === label) - raised[a] / sum;
      for (let i = 0; i < size; i++) w[i] += learningRate * error * code[i];
    });
  }
}

/** LinUCB: ridge regression for each strategy, and a bonus for the uncertainty of its score. */
export class UpperBounds {
  readonly #inverse: Float64Array[][];
  readonly #sums = steps.map(() => new Float64Array(size));

  constructor(ridge: number) {
    this.#inverse = steps.map(() =>
      Array.from({ length: size }, (_, i) => new Float64Array(size).fill(1 / ridge, i, i + 1)),
    );
  }

  of(code: Float64Array, bonus: number): number[] {
    return steps.map((_, a) => {
      const product = this.#times(a, code);
      return (
        innerProduct(product, this.#sums[a]) + bonus * Math.sqrt(Math.max(0, innerProduct(product, code)))
      );
    });
  }

  learn(code: Float64Array, a: number, reward: number): void {
    const product = this.#times(a, code);
    const scale = 1 / (1 + innerProduct(product, code));
    for (let i = 0; i < size; i++) {
      for (let j = 0; j < size; j++) this.#inverse[a][i][j] -= scale * product[i] * product[j];
      this.#sums[a][i] += reward * code[i];
    }
  }

  #times(a: number, x: Float64Array): Float64Array {
    return Float64Array.from(this.#inverse[a], (row) => innerProduct(row, x));
  }
}

/** The index of the largest; the first of equals. */
export const largest = (values: readonly number[]): number =>
  values.reduce((best, v, i) => (v > values[best] ? i : best), 0);
