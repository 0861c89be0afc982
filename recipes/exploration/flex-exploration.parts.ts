import type { Generator } from "@reins/core/random";
import { innerProduct } from "@reins/envs";
import { real } from "@reins/tensor";

/** A pendulum with drag in a field: its acceleration is −gravity sin θ − drag |v| v + a wave, plus the control. */
export interface Pendulum {
  readonly gravity: number;
  readonly drag: number;
  readonly wave: number;
  readonly phase: number;
}

export const randomPendulum = (random: Generator): Pendulum => ({
  gravity: random.uniform(0.6, 1.4),
  drag: random.uniform(0.08, 0.16),
  wave: random.uniform(0.1, 0.4),
  phase: random.uniform(0, 2 * Math.PI),
});

/** Seconds of a step, the highest speed that is of interest, and the deviation of the noise on the acceleration. */
export const [interval, fastest, noise] = [0.1, 2.4, 0.05];

export const acceleration = (
  { gravity, drag, wave, phase }: Pendulum,
  angle: number,
  speed: number,
): number => -gravity * real.sin(angle) - drag * Math.abs(speed) * speed + wave * real.sin(2 * angle + phase);

const [angles, speeds] = [8, 7];
/** Features of the model. */
export const count = angles * speeds;

/** Bumps over angles, which are periodic, and speeds. With `slopes`, also their derivatives with respect to the speed. */
export function features(
  angle: number,
  speed: number,
  out: Float64Array,
  slopes?: Float64Array,
): Float64Array {
  const width = (2 * fastest) / (speeds - 1);
  for (let j = 0; j < speeds; j++) {
    const z = (speed + fastest) / width - j;
    const bump = real.exp(-0.5 * z * z);
    for (let i = 0; i < angles; i++) {
      const turn = real.exp(2 * (real.cos(angle - (2 * Math.PI * i) / angles) - 1));
      out[j * angles + i] = turn * bump;
      if (slopes) slopes[j * angles + i] = (-turn * bump * z) / width;
    }
  }
  return out;
}

/** Recursive least squares for weights of features, with a ridge penalty. */
export class LeastSquares {
  /** The inverse of the information matrix M: the penalty plus the sum of outer products of the features. */
  readonly inverse: Float64Array[];
  readonly weights: Float64Array;
  readonly #product: Float64Array;

  constructor(size: number, ridge: number) {
    this.weights = new Float64Array(size);
    this.#product = new Float64Array(size);
    this.inverse = Array.from({ length: size }, (_, i) => new Float64Array(size).fill(1 / ridge, i, i + 1));
  }

  learn(x: Float64Array, y: number): void {
    const product = this.times(x, this.#product);
    const [scale, error] = [1 / (1 + innerProduct(x, product)), y - innerProduct(x, this.weights)];
    for (let i = 0; i < x.length; i++) {
      this.weights[i] += scale * error * product[i];
      const [row, factor] = [this.inverse[i], scale * product[i]];
      for (let j = 0; j < x.length; j++) row[j] -= factor * product[j];
    }
  }

  /** M⁻¹ x. */
  times(x: Float64Array, out: Float64Array): Float64Array {
    for (let i = 0; i < x.length; i++) out[i] = innerProduct(this.inverse[i], x);
    return out;
  }
}

/** Root mean square error of the acceleration over all angles and speeds, relative to that of a model that says 0. */
export function fieldError(pendulum: Pendulum, weights: Float64Array): number {
  const x = new Float64Array(count);
  let [wrong, all] = [0, 0];
  for (let i = 0; i < 24; i++)
    for (let j = 0; j <= 12; j++) {
      const [angle, speed] = [(2 * Math.PI * i) / 24, fastest * (j / 6 - 1)];
      const truth = acceleration(pendulum, angle, speed);
      wrong += (truth - innerProduct(features(angle, speed, x), weights)) ** 2;
      all += truth * truth;
    }
  return Math.sqrt(wrong / all);
}

/** What a policy of exploration sees. */
export interface View {
  readonly angle: number;
  readonly speed: number;
  readonly model: LeastSquares;
  readonly visited: readonly (readonly [number, number])[];
}

/**
 * FLEX (Blanke and Lelarge, 2023): the features after the next step are v + B u up to first order, and of the controls
 * the one that maximises their information (v + B u)ᵀ M⁻¹ (v + B u) is chosen. With one control it lies on the bound.
 */
export function mostInformative({ angle, speed, model }: View, bound: number, memory = true): number {
  const [v, slopes, product] = [0, 0, 0].map(() => new Float64Array(count));
  const ahead = speed + interval * innerProduct(features(angle, speed, v), model.weights);
  features(angle + interval * speed, ahead, v, slopes);
  const gain = memory ? innerProduct(v, model.times(slopes, product)) : innerProduct(v, slopes);
  return gain < 0 ? -bound : bound;
}

/** The control after which the state is furthest from those visited, in the mean of squares (the authors' "uniform"). */
export function furthest({ angle, speed, model, visited }: View, bound: number): number {
  const drift = innerProduct(features(angle, speed, new Float64Array(count)), model.weights);
  const next = angle + interval * speed;
  const distance = (u: number) => {
    const ahead = speed + interval * (drift + u);
    return visited.reduce((sum, [a, s]) => sum + 2 - 2 * real.cos(next - a) + (ahead - s) ** 2, 0);
  };
  return distance(-bound) > distance(bound) ? -bound : bound;
}
