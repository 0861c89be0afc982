import { random, type Tensor, type Tree, vmap } from "@reins/tensor";
import type { Layer, LayerContext, StatefulLayer } from "../layer.ts";
import { type EnsembleOptions, stackTrees } from "../models/ensemble.ts";
import type { Activation } from "./activation.ts";
import { child, layerOf } from "./sequential.ts";

const tracks = (part: Layer | StatefulLayer): part is StatefulLayer => "start" in part;

/** Layers in sequence, some with running statistics. Parameters and statistics are lists; layers without statistics have an empty entry. */
export function statefulSequential(
  ...parts: readonly (Layer | StatefulLayer | Activation)[]
): StatefulLayer<Tree[], Tree[]> {
  const layers = parts.map((p): Layer | StatefulLayer =>
    typeof p === "object" && "start" in p ? p : layerOf(p),
  );
  return {
    init: (key) => random.splitKey(key, layers.length).map((k, i) => layers[i].init(k)),
    start: () => layers.map((layer) => (tracks(layer) ? layer.start() : {})),
    learn(params, statistics, x, context) {
      const seen: Tree[] = [];
      const output = layers.reduce((y, layer, i) => {
        const own = child(context, i);
        if (!tracks(layer)) {
          seen.push(statistics[i]);
          return layer.apply(params[i], y, own);
        }
        const tracked = layer.learn(params[i], statistics[i], y, own);
        seen.push(tracked.statistics);
        return tracked.output;
      }, x);
      return { output, statistics: seen };
    },
    apply: (params, statistics, x) =>
      layers.reduce(
        (y, layer, i) =>
          tracks(layer) ? layer.apply(params[i], statistics[i], y) : layer.apply(params[i], y),
        x,
      ),
  };
}

/** Like `ensemble`, for layers with running statistics: each member has its own. */
export function statefulEnsemble<P extends Tree, S extends Tree>(
  layer: StatefulLayer<P, S>,
  { members, separateInputs = false }: EnsembleOptions,
): StatefulLayer<P, S> {
  const inputs = separateInputs ? 0 : null;
  const axes = [0, 0, inputs];
  return {
    init: (key) => stackTrees(random.splitKey(key, members).map((k) => layer.init(k))),
    start: () => stackTrees(Array.from({ length: members }, () => layer.start())),
    learn(params, statistics, x, context?: LayerContext) {
      const one = (p: P, s: S, y: Tensor) => layer.learn(p, s, y, context);
      return vmap(one, { in: axes })(params, statistics, x);
    },
    apply: (params, statistics, x) =>
      vmap((p: P, s: S, y: Tensor) => layer.apply(p, s, y), { in: axes })(params, statistics, x),
  };
}
