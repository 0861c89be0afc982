import type { Generator } from "@reins/core/random";
import { real } from "@reins/tensor";

/** Epochs of a full training, and points of the training and of the validation data. */
export const [epochs, trainingSize, validationSize] = [16, 80, 200];

/** A network with one hidden layer, and how it is trained: numbers from 0 to 1 on five axes. */
export type Configuration = Float64Array;
export const axes = 5;

interface Data {
  readonly x: Float64Array;
  readonly y: Float64Array;
}

/** Points of a square in two classes, whose border is a random wave; a tenth of the training labels is wrong. */
export function randomData(random: Generator): { training: Data; validation: Data } {
  const [frequency, phase, height, tilt] = [
    random.uniform(1.5, 3.5),
    random.uniform(0, 2 * Math.PI),
    random.uniform(0.4, 0.9),
    random.normal(0, 0.3),
  ];
  const sample = (count: number, noise: number): Data => {
    const x = Float64Array.from({ length: 2 * count }, () => random.uniform(-1, 1));
    const y = Float64Array.from({ length: count }, (_, i) => {
      const above = x[2 * i + 1] > height * real.sin(frequency * x[2 * i] + phase) + tilt;
      return Number(above !== random.chance(noise));
    });
    return { x, y };
  };
  return { training: sample(trainingSize, 0.1), validation: sample(validationSize, 0) };
}

/** Trains a configuration: the share of right answers on the validation data after each epoch. */
export function learningCurve(
  { training, validation }: { training: Data; validation: Data },
  c: Configuration,
  random: Generator,
): number[] {
  const hidden = 2 + Math.floor(14 * c[0]);
  const learningRate = real.exp(real.log(0.003) + c[1] * real.log(300));
  const [momentum, decay, spread] = [0.95 * c[2], 0.01 * c[3] ** 3, 0.1 + 2.9 * c[4]];
  // Of each hidden unit two weights and a bias, then the output's weights and its bias.
  const w = Float64Array.from({ length: 4 * hidden + 1 }, () => random.normal(0, spread));
  const velocity = w.map(() => 0);
  const h = new Float64Array(hidden);
  const output = ({ x }: Data, i: number) => {
    let sum = w[4 * hidden];
    for (let j = 0; j < hidden; j++) {
      h[j] = real.tanh(w[4 * j] * x[2 * i] + w[4 * j + 1] * x[2 * i + 1] + w[4 * j + 2]);
      sum += w[4 * j + 3] * h[j];
    }
    return sum;
  };
  const move = (k: number, gradient: number) => {
    velocity[k] = momentum * velocity[k] - learningRate * (gradient + decay * w[k]);
    w[k] += velocity[k];
  };
  return Array.from({ length: epochs }, () => {
    for (const i of random.permutation(trainingSize)) {
      const p = 1 / (1 + real.exp(-Math.max(-30, Math.min(30, output(training, i)))));
      const error = p - training.y[i];
      for (let j = 0; j < hidden; j++) {
        const back = error * w[4 * j + 3] * (1 - h[j] * h[j]);
        move(4 * j + 3, error * h[j]);
        move(4 * j, back * training.x[2 * i]);
        move(4 * j + 1, back * training.x[2 * i + 1]);
        move(4 * j + 2, back);
      }
      move(4 * hidden, error);
    }
    let right = 0;
    for (let i = 0; i < validationSize; i++)
      right += Number(output(validation, i) > 0 === validation.y[i] > 0.5);
    return right / validationSize;
  });
}

/** Features of a partial curve (section 3 of the paper): configuration, values, first and second differences. */
export function curveFeatures(c: Configuration, curve: readonly number[]): number[] {
  const first = curve.slice(1).map((v, i) => v - curve[i]);
  const second = first.slice(1).map((v, i) => v - first[i]);
  return [...c, ...curve, ...first, ...second, 1];
}

/** Solves a symmetric positive system by Gaussian elimination, for several right sides. */
function solve(matrix: number[][], sides: number[][]): number[][] {
  const n = matrix.length;
  const rows = matrix.map((row, i) => [...row, ...sides.map((s) => s[i])]);
  for (let i = 0; i < n; i++)
    for (let r = 0; r < n; r++) {
      const factor = rows[r][i] / rows[i][i];
      if (r === i || factor === 0) continue;
      for (let k = i; k < rows[r].length; k++) rows[r][k] -= factor * rows[i][k];
    }
  return sides.map((_, k) => rows.map((row, i) => row[n + k] / row[i]));
}

/** Ridge regression of final values on features, with the deviation of its leave-one-out errors. */
export class Predictor {
  readonly deviation: number;
  readonly #rows: readonly number[][];
  readonly #dual: number[];

  /** In the dual form: (K + ridge I) α = y with K the inner products of the rows; the i-th left-out error is α_i / H_ii. */
  constructor(rows: readonly number[][], targets: readonly number[], ridge: number) {
    const n = rows.length;
    const kernel = rows.map((a, i) => rows.map((b, j) => inner(a, b) + (i === j ? ridge : 0)));
    const units = rows.map((_, i) => rows.map((_, j) => Number(i === j)));
    const inverse = solve(kernel, units);
    this.#rows = rows;
    this.#dual = inverse.map((column) => column.reduce((sum, v, i) => sum + v * targets[i], 0));
    const errors = this.#dual.map((alpha, i) => alpha / inverse[i][i]);
    this.deviation = Math.sqrt(errors.reduce((sum, e) => sum + e * e, 0) / n);
  }

  predict(row: readonly number[]): number {
    return this.#rows.reduce((sum, r, i) => sum + this.#dual[i] * inner(r, row), 0);
  }
}

const inner = (a: readonly number[], b: readonly number[]) => a.reduce((sum, v, i) => sum + v * b[i], 0);

/** The probability that a normal variable is below x, by the logistic approximation of Tocher, off by at most 0.018. */
export const belowNormal = (x: number): number => 1 / (1 + real.exp(-1.702 * x));
