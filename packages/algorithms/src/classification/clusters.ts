import { box, discrete, type RecordedEnvironment } from "@reins/core";
import { defaultRng } from "@reins/core/random";
import { type Tensor, tensor } from "@reins/tensor";

/** Examples, one per row, and their labels. */
export interface Examples {
  readonly x: Tensor;
  /** The class of each example, i32. */
  readonly y: Tensor;
}

/** Training and held-out sets of a classifier. */
export interface Labelled {
  readonly train: Examples;
  readonly held: { readonly [name: string]: Examples };
}

/** Settings of {@link clusters}. */
export interface ClustersOptions {
  readonly seed: number;
  /** Features per example. */
  readonly features: number;
  readonly classes: number;
  /** Clusters per class; more makes classes less linearly separable. */
  readonly clusters: number;
  /** Standard deviation within a cluster, where cluster means have standard deviation 1. */
  readonly spread: number;
  /** Fraction of random training labels; held-out labels are all correct. */
  readonly wrong: number;
  /** Training examples. */
  readonly train: number;
  /** Examples of each held-out set, by name. */
  readonly held: { readonly [name: string]: number };
}

/** Normal clusters, several per class. Few examples with some wrong labels make a classifier overfit. */
export function clusters(options: ClustersOptions): Labelled {
  const { features, classes, spread, wrong } = options;
  const random = defaultRng(options.seed);
  const middles = Array.from({ length: classes * options.clusters }, () =>
    Array.from({ length: features }, () => random.normal()),
  );
  const draw = (n: number, mistaken: number): Examples => {
    const x = new Float32Array(n * features);
    const y = new Int32Array(n);
    for (let i = 0; i < n; i++) {
      const cluster = random.integers(middles.length);
      middles[cluster].forEach((m, j) => {
        x[i * features + j] = m + spread * random.normal();
      });
      y[i] = random.random() < mistaken ? random.integers(classes) : cluster % classes;
    }
    return { x: tensor(x, { shape: [n, features] }), y: tensor(y) };
  };
  return {
    train: draw(options.train, wrong),
    held: Object.fromEntries(Object.entries(options.held).map(([name, n]) => [name, draw(n, 0)])),
  };
}

/**
 * Replaces the environment of a run that learns from examples: the shape of the examples.
 *
 * @experimental
 */
export function examplesSource(data: Labelled, classes: number): RecordedEnvironment {
  const id = "Examples-v0";
  return {
    spec: { id, observation: box([data.train.x.shape[1]]), action: discrete(classes) },
  };
}
