import { box, defaultRng, discrete, type RecordPlace } from "@reins/core";
import { type Tensor, tensor } from "@reins/tensor";

/** Examples, one a row, and what they are. */
export interface Examples {
  readonly x: Tensor;
  /** The class of each, i32. */
  readonly y: Tensor;
}

/** What a classifier learns from, and what it is measured on. */
export interface Labelled {
  readonly train: Examples;
  readonly held: { readonly [name: string]: Examples };
}

/** How clusters are made. */
export interface ClustersOptions {
  readonly seed: number;
  /** Numbers that describe an example. */
  readonly features: number;
  readonly classes: number;
  /** Clusters of each class; the more, the less a straight line tells classes apart. */
  readonly clusters: number;
  /** Spread of a cluster, where their middles have spread 1. */
  readonly spread: number;
  /** Share of the labels to learn from that are drawn at random; held-out labels are all right. */
  readonly wrong: number;
  /** Examples to learn from. */
  readonly train: number;
  /** Examples of each set that is held out, by name. */
  readonly held: { readonly [name: string]: number };
}

/** Normal clusters, several for each class. Learning from few of them, some with wrong labels, fits what will not be seen again. */
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

/** What a run needs in place of an environment when it learns from examples: what they look like. */
export function examplesSource(data: Labelled, classes: number): RecordPlace {
  const id = "Examples-v0";
  return {
    spec: { id, observation: box([data.train.x.shape[1]]), action: discrete(classes) },
  };
}
