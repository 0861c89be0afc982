import { type AlgorithmContext, code, define, fail, type ResolvedOptions, setting, size } from "@reins/core";
import { liveMetrics } from "@reins/core/metrics";
import { type Body, bodyFor, learningContext, type NetworkMaker } from "@reins/core/policies";
import { flatSize } from "@reins/core/spaces";
import * as nn from "@reins/nn";
import {
  add,
  argmax,
  cast,
  compile,
  crossEntropy,
  eq,
  mean,
  mul,
  random,
  scalar,
  scan,
  sub,
  type Tensor,
  type Tree,
  take,
  treeMap,
  valueAndGradient,
} from "@reins/tensor";
import type { Examples, Labelled } from "./clusters.ts";
import { drop } from "./dropout.ts";

const options = {
  learningRate: setting(3e-3, "Learning rate. Higher learns faster until it diverges (1e-4 to 1e-1).", {
    within: "nonnegative",
  }),
  dropout: setting(0, "Dropout rate of the hidden layer. Higher fits less closely (0 to 0.8).", {
    within: "share",
  }),
  noise: setting(0, "Standard deviation of the input noise. Higher fits less closely (0 to 1).", {
    within: "nonnegative",
  }),
  weightDecay: setting(0, "Weight decay. Higher fits less closely (0 to 1).", {
    within: "nonnegative",
  }),
  hidden: size(64, "Width of the hidden layer.", { within: "whole" }),
  network: code<NetworkMaker>(
    "The whole body, instead of the hidden layer: ({ space, inputs }) => a layer or a body.",
    { hidden: 0 },
  ),
  batch: size(32, "Minibatch size.", { within: "count" }),
  round: size(10, "Updates between evaluations.", { within: "count" }),
};

/** Weights of {@link classifier}. */
export type ClassifierWeights = { body: Tree; head: nn.LinearParams };

/** A classifier with one hidden layer, trained on the run's data; a step is a minibatch. */
export const classifier = define({
  name: "classifier",
  summary: "A classifier trained on examples, with settings that can be changed during training.",
  options,
  actions: ["discrete"],
  start(o, context) {
    const data = context.data as Labelled | undefined;
    if (!data) fail("classifier", "it learns from examples. Pass them as the run's data.");
    const { body, head, init } = network(o, context);
    const optimiser = nn.adam();
    const [initKey, learnKey] = random.splitKey(context.key, 2);
    const weights = init(initKey);
    const learned = { weights, optimiser: optimiser.init(weights), count: scalar(0, "i32") };

    const loss = (w: ClassifierWeights, { x, y }: Examples, key: Tensor) => {
      const [noiseKey, dropKey] = random.splitKey(key, 2);
      const seen = add(x, mul(random.normal(noiseKey, x.shape), o.noise.tensor));
      const features = drop(
        body.apply(w.body, seen, 1, learningContext(body, dropKey)),
        o.dropout.tensor,
        dropKey,
      );
      return crossEntropy(head.apply(w.head, features), y);
    };
    const learn = (carry: Learning, _: undefined) => {
      const [chooseKey, lossKey] = random.splitKey(random.foldKey(learnKey, carry.count), 2);
      const chosen = random.randint(chooseKey, [o.batch], 0, data.train.y.size);
      const examples = { x: take(data.train.x, chosen, 0), y: take(data.train.y, chosen, 0) };
      const { value, gradient } = valueAndGradient((w: ClassifierWeights) => loss(w, examples, lossKey))(
        carry.weights,
      );
      const rate = o.learningRate.tensor;
      const next = optimiser.update(gradient, carry.optimiser, carry.weights, { learningRate: rate });
      const kept = sub(1, mul(rate, o.weightDecay.tensor));
      const decayed = treeMap((t) => mul(t, kept), next.params);
      return [{ weights: decayed, optimiser: next.state, count: add(carry.count, 1) }, value] as const;
    };
    const round = compile(
      (first: Learning) => {
        const { carry, ys } = scan(learn, first, undefined, { length: o.round });
        const held = Object.entries(data.held).flatMap(([name, { x, y }]) => {
          const logits = head.apply(carry.weights.head, body.apply(carry.weights.body, x, 1));
          return [
            [`loss/${name}`, crossEntropy(logits, y)],
            [`accuracy/${name}`, mean(cast(eq(argmax(logits, -1), y), "f32"))],
          ] as const;
        });
        const metrics: Record<string, Tensor> = { "loss/train": mean(ys), ...Object.fromEntries(held) };
        return { ...carry, metrics };
      },
      { name: "classifier round", donate: [0], host: true },
    ).bind(learned);
    const measured = round.result.metrics;
    const metrics = liveMetrics(
      Object.fromEntries(Object.keys(measured).map((n) => [n, () => measured[n].data[0]])),
    );
    return {
      get steps() {
        return learned.count.data[0];
      },
      step() {
        round.run();
        return metrics;
      },
      parts: learned,
    };
  },
});

type Learning = {
  weights: ClassifierWeights;
  optimiser: nn.OptimiserState<ClassifierWeights>;
  count: Tensor;
};

/** The network and its initial weights. */
function network(o: ResolvedOptions<typeof options>, { spec }: AlgorithmContext) {
  if (spec.action.kind !== "discrete") return fail("classifier", "labels must be discrete.");
  const layer = nn.mlp({ inputs: flatSize(spec.observation), hidden: [o.hidden], activation: "relu" });
  const body: Body = o.network
    ? bodyFor(spec.observation, o)
    : { features: o.hidden, init: layer.init, apply: (w, x) => layer.apply(w as nn.MlpParams, x as Tensor) };
  const head = nn.linear({ inputs: body.features, outputs: spec.action.n });
  const init = (key: Tensor): ClassifierWeights => {
    const [bodyKey, headKey] = random.splitKey(key, 2);
    return { body: body.init?.(bodyKey) ?? {}, head: head.init(headKey) };
  };
  return { body, head, init };
}
