import { add, concat, random, type Tensor, type Tree } from "@reins/tensor";
import type { EnvSpec } from "../env.ts";
import { fail } from "../errors.ts";
import { nn } from "../nn.ts";
import type { Policy } from "../policy.ts";
import type { PolicyInput } from "../recorded-step.ts";
import { encoderFor } from "./encoder.ts";
import type { HeadOptions } from "./head.ts";
import { decide, scoreOf } from "./head-action.ts";
import { headFor } from "./heads.ts";

/** Weights of {@link chained}. */
export type ChainedWeights = {
  encoder?: Tree;
  modules: nn.LinearParams[];
  last: nn.LinearParams;
  head: Tree;
};

/**
 * Outputs a sequence of actions, [steps, …], in one forward pass: a chain of light modules on the observation, one per step, each of
 * which adds to the output of the previous one, and a shared last layer. Modules start as the identity, like the
 * multi-token prediction modules of DeepSeek-V3 (2024).
 */
export function chained(spec: EnvSpec, options: HeadOptions = {}): Policy<ChainedWeights> {
  if (spec.action.kind !== "box" || spec.action.shape.length < 2)
    fail(spec.id, "actions must be a box of shape [steps, …]. Wrap the environment with openLoop.");
  const [steps] = spec.action.shape;
  const encoder = encoderFor(spec.observation);
  const head = headFor(spec.action, options);
  const nothing = { weightInit: nn.init.zeros, biasInit: nn.init.zeros };
  const { features } = encoder;
  const module = nn.linear({ inputs: features, outputs: features, ...nothing });
  const last = nn.linear({ inputs: features, outputs: head.outputs / steps, ...nothing });
  const consider = (weights: ChainedWeights, view: PolicyInput) => {
    let h = encoder.apply(weights.encoder, view.observation, 1);
    const outputs = weights.modules.map((m) => {
      h = add(h, module.apply(m, h));
      return last.apply(weights.last, h);
    });
    return { features: h, outputs: concat(outputs, -1) };
  };
  return {
    likelihood: "exact",
    init: (key: Tensor) => ({
      ...(encoder.init ? { encoder: encoder.init(random.foldKey(key, 1)) } : {}),
      modules: random.splitKey(key, steps).map((k) => module.init(k)),
      last: last.init(key),
      head: head.init(features),
    }),
    act: (weights, view, state, key) =>
      decide(head, weights.head, consider(weights, view), { view, noise: state, key }),
    score: (weights, moment) => scoreOf(head, weights.head, consider(weights, moment.view), moment),
  };
}
