import { adam, type MlpParams, mlp, type OptimiserState, parameterCount, schedules } from "@reins/nn";
import {
  type BackendName,
  bceWithLogits,
  cast,
  compile,
  eq,
  gt,
  mean,
  mul,
  random,
  reshape,
  sigmoid,
  type Tensor,
  tensor,
  valueAndGradient,
} from "@reins/tensor";
import { type Points, spirals } from "./spirals.ts";

/** A network that learns to tell two spirals apart. */
export interface Learner {
  readonly weights: number;
  /** Points that each update sees, all of them new. */
  readonly batch: number;
  /** Points that no update sees, which accuracy is measured on. */
  readonly unseen: Points;
  /** One update; returns its loss. */
  update(): number;
  /** The share of the unseen points that it tells apart. */
  accuracy(): number;
  /** How sure it is of class 1 at `resolution` × `resolution` places of the square from -extent to extent, top row first. */
  surface(): Float32Array;
}

/** What {@link createLearner} needs to know. */
export interface LearnerOptions {
  seed: number;
  hidden: readonly number[];
  /** Updates after which the learning rate has come down to 0. */
  steps: number;
  backend?: BackendName;
}

export const resolution = 80;
export const extent = 1.12;
const batch = 256;
const unseenCount = 1000;

/** Builds the network and compiles what it does: each of the three functions is one call into machine code. */
export function createLearner({ seed, hidden, steps, backend }: LearnerOptions): Learner {
  const [weightKey, dataKey, unseenKey] = random.splitKey(random.key(seed), 3);
  const network = mlp({ inputs: 2, hidden, outputs: 1, activation: "silu" });
  const optimiser = adam();
  const rate = schedules.cosine({ from: 3e-3, to: 0, over: steps });
  const logits = (params: MlpParams, points: Tensor) =>
    reshape(network.apply(params, mul(points, 2)), [points.shape[0]]);

  // So small a network gains little from more threads, and a busy machine makes them wait for each other.
  const options = { backend, threads: 1 };
  const update = compile(
    (params: MlpParams, state: OptimiserState<MlpParams>) => {
      // New points for every update, drawn inside the compiled function.
      const { points, labels } = spirals(random.foldKey(dataKey, state.step), batch);
      const { value, gradient } = valueAndGradient((p: MlpParams) =>
        bceWithLogits(logits(p, points), cast(labels, "f32")),
      )(params);
      return {
        ...optimiser.update(gradient, state, params, { learningRate: rate(state.step) }),
        loss: value,
      };
    },
    { name: "update", donate: [0, 1], ...options },
  );
  const unseen = spirals(unseenKey, unseenCount);
  const accuracy = compile(
    (params: MlpParams) =>
      mean(cast(eq(cast(gt(logits(params, unseen.points), 0), "i32"), unseen.labels), "f32")),
    {
      name: "accuracy",
      ...options,
    },
  );
  const places = grid();
  const surface = compile((params: MlpParams) => sigmoid(logits(params, places)), {
    name: "surface",
    ...options,
  });

  // Bound: fixed memory, and parameters that are updated in place.
  const params = network.init(weightKey);
  const bound = {
    update: update.bind(params, optimiser.init(params)),
    accuracy: accuracy.bind(params),
    surface: surface.bind(params),
  };
  return {
    weights: parameterCount(params),
    batch,
    unseen,
    update() {
      bound.update.run();
      return bound.update.result.loss.item();
    },
    accuracy() {
      bound.accuracy.run();
      return bound.accuracy.result.item();
    },
    surface() {
      bound.surface.run();
      return bound.surface.result.data as Float32Array;
    },
  };
}

/** The middles of the pixels of the surface. */
function grid(): Tensor {
  const at = (i: number) => ((i + 0.5) / resolution) * 2 * extent - extent;
  const values = new Float32Array(resolution * resolution * 2);
  for (let row = 0; row < resolution; row++) {
    for (let column = 0; column < resolution; column++)
      values.set([at(column), -at(row)], 2 * (row * resolution + column));
  }
  return tensor(values, { shape: [resolution * resolution, 2] });
}
