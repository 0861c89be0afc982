import { type Discrete, type EnvSpec, fail, type Policy, type PolicyInput } from "@reins/core";
import { bodyFor, bodyLayer } from "@reins/core/policies";
import * as nn from "@reins/nn";
import { mean, mul, random, reshape, squeeze, stopGradient, type Tensor, type Tree } from "@reins/tensor";
import type { Values } from "./greedy.ts";
import { qNetwork } from "./network.ts";
import type { Use } from "./value-form.ts";

/** Settings of a quantile-informed critic. */
export interface QuantileCriticOptions {
  /** Widths of the hidden layers of the quantile network. */
  readonly hidden: readonly number[];
  /** Width of the layer that combines the critic's outputs and the quantiles; 32 by default. */
  readonly width?: number;
  /** Quantiles per action that the critic receives; 8 by default. */
  readonly quantiles?: number;
  /** Cosines in the embedding of a fraction; 16 by default. */
  readonly cosines?: number;
  /** Whether the critic receives each quantile, or their mean repeated. */
  readonly shown?: "each" | "mean";
  /** Whether the critic's gradient reaches the quantile network, which makes it just a larger critic. */
  readonly moved?: boolean;
}

/** The weights of {@link quantileCritic}: the policy's own, the combining layer, and the quantile network. */
export type QuantileCriticWeights = {
  readonly own: Tree;
  readonly join: nn.MlpParams;
  readonly quantiles: Tree;
};

/**
 * A network that estimates the return's quantiles of all actions, [rows, actions, fractions], at any number of
 * fractions.
 */
export function quantileNetwork(spec: EnvSpec, o: QuantileCriticOptions) {
  if (spec.action.kind !== "discrete")
    fail(
      "quantileCritic",
      `${spec.id} has no discrete actions: the quantile network needs them. Use plain ppo.`,
    );
  const space = spec.action as Discrete;
  const body = bodyFor(spec.observation, {});
  const network = (use: Use, count: number) =>
    bodyLayer(
      body,
      qNetwork({
        inputs: body.features,
        actions: space.n,
        atoms: 1,
        hidden: o.hidden,
        dueling: false,
        noisy: false,
        implicit: { use, count, cosines: o.cosines ?? 16 },
      }),
    );
  return {
    space,
    init: network("choice", 1).init as (key: Tensor) => Tree,
    /** Quantiles at this many fractions: random with a key, evenly spaced without one. */
    valuesFor(use: Use, count: number): Values {
      const asked = network(use, count);
      return (weights, observation, key, learn) => asked.apply(weights as never, observation, { key, learn });
    },
  };
}

/**
 * A critic informed by the return distribution (Jeon et al., "PG-Rainbow", 2024): its outputs times the quantiles
 * of a second network pass through a layer that makes a value of them, V(s) = f(V(s) ⊙ q(s)). The policy gets as
 * many streams as there are quantiles of all actions.
 */
export function quantileCritic(
  spec: EnvSpec,
  policyOf: (streams: number) => Policy,
  o: QuantileCriticOptions,
): Policy<QuantileCriticWeights> {
  const { quantiles: count = 8, width = 32, shown = "each", moved = false } = o;
  const network = quantileNetwork(spec, o);
  const streams = network.space.n * count;
  const policy = policyOf(streams);
  const join = nn.mlp({ inputs: streams, hidden: [width], outputs: 1, activation: "tanh" });
  const valuesFor = network.valuesFor("choice", count);
  /** Combines the critic's outputs into one value. */
  const judged = (weights: QuantileCriticWeights, { observation }: PolicyInput, numbers: Tensor): Tensor => {
    const each = valuesFor(weights.quantiles, observation);
    const seen = shown === "each" ? each : mul(mean(each, { axis: -1, keepDims: true }), each.mul(0).add(1));
    const quantiles = reshape(moved ? seen : stopGradient(seen), [-1, streams]);
    return squeeze(join.apply(weights.join, mul(numbers, quantiles)), -1);
  };
  return {
    ...policy,
    init(key) {
      const [a, b, c] = random.splitKey(key, 3);
      return { own: policy.init(a), join: join.init(b), quantiles: network.init(c) };
    },
    act(weights, view, state, key) {
      const act = policy.act(weights.own, view, state, key);
      return { ...act, value: judged(weights, view, act.value!) };
    },
    score(weights, moment) {
      const scored = policy.score(weights.own, moment);
      return { ...scored, value: judged(weights, moment.view, scored.value!) };
    },
    value: (weights, view, state) => judged(weights, view, policy.value!(weights.own, view, state)),
    ...(policy.divergence
      ? { divergence: (weights, others, moment) => policy.divergence!(weights.own, others.own, moment) }
      : {}),
  };
}
