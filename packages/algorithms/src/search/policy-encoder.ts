import type { Generator } from "@reins/core/random";
import * as nn from "@reins/nn";
import {
  add,
  compile,
  exp,
  random as keys,
  mean,
  mul,
  reshape,
  scalar,
  scan,
  square,
  sub,
  sum,
  type Tensor,
  take,
  valueAndGradient,
  zeros,
} from "@reins/tensor";

/** Settings of the encoder of policies. */
export interface PolicyEncoderOptions {
  /** Dimensions of a policy representation. Fewer are learned sooner and carry less (4 to 64; default 16). */
  readonly latent?: number;
  /** Width of the encoder's hidden layer (default 64). */
  readonly hidden?: number;
  /** Policies in the buffer (default 1024). */
  readonly memory?: number;
  /** Encoder updates per generation (default 16). */
  readonly updates?: number;
  /** Minibatch size in policies (default 64). */
  readonly batch?: number;
  readonly learningRate?: number;
  /** Weight of the KL term to a standard normal prior (default 0.01). */
  readonly divergenceWeight?: number;
}

type Weights = { readonly encoder: nn.MlpParams; readonly value: nn.LinearParams };
type Learned = { weights: Weights; optimiser: nn.OptimiserState<Weights>; count: Tensor };

/**
 * The encoder and its training columns: all updates of a generation are one compiled call, which ends with the
 * representations of all policies.
 */
export function policyEncoder(size: number, o: Required<PolicyEncoderOptions>, random: Generator) {
  const encoder = nn.mlp({ inputs: size, hidden: [o.hidden], outputs: 2 * o.latent });
  const value = nn.linear({ inputs: o.latent, outputs: 1, bias: false });
  const [initKey, valueKey, learnKey] = keys.splitKey(keys.key(random.integers(0, 2 ** 31)), 3);
  const weights: Weights = { encoder: encoder.init(initKey), value: value.init(valueKey) };
  const optimiser = nn.adam();
  const learned: Learned = { weights, optimiser: optimiser.init(weights), count: scalar(0, "i32") };
  const [inputs, targets] = [zeros([o.memory, size]), zeros([o.memory])];
  const seen = scalar(0);

  const halves = (w: Weights, x: Tensor) => {
    const both = encoder.apply(w.encoder, x);
    return [both.slice([null, [0, o.latent]]), both.slice([null, [o.latent, 2 * o.latent]])];
  };
  /** The negative evidence lower bound: the value error and the KL divergence from the prior. */
  const loss = (w: Weights, x: Tensor, y: Tensor, key: Tensor) => {
    const [middle, logVariance] = halves(w, x);
    const z = add(middle, mul(exp(mul(logVariance, 0.5)), keys.normal(key, middle.shape)));
    const error = mean(square(sub(reshape(value.apply(w.value, z), [o.batch]), y)));
    const divergence = sub(add(square(middle), exp(logVariance)), add(logVariance, 1));
    return add(error, mul(0.5 * o.divergenceWeight, mean(sum(divergence, 1))));
  };
  const update = (carry: Learned, _: undefined) => {
    const [chooseKey, lossKey] = keys.splitKey(keys.foldKey(learnKey, carry.count), 2);
    const chosen = mul(keys.uniform(chooseKey, [o.batch]), seen)
      .floor()
      .cast("i32");
    const [x, y] = [take(inputs, chosen, 0), take(targets, chosen, 0)];
    const { value: off, gradient } = valueAndGradient((w: Weights) => loss(w, x, y, lossKey))(carry.weights);
    const { learningRate } = o;
    const next = optimiser.update(gradient, carry.optimiser, carry.weights, { learningRate });
    return [{ weights: next.params, optimiser: next.state, count: add(carry.count, 1) }, off] as const;
  };
  const round = compile(
    (first: Learned) => {
      const { carry } = scan(update, first, undefined, { length: o.updates });
      return { ...carry, latents: halves(carry.weights, inputs)[0] };
    },
    { name: "representation of policies", donate: [0], host: true },
  ).bind(learned);
  const encode = compile((w: Weights, x: Tensor) => halves(w, x)[0], {
    name: "represented policies",
    host: true,
  });
  return {
    ...{ inputs, targets, seen, latents: round.result.latents },
    learn: () => round.run(),
    encode: (x: Tensor) => encode(learned.weights, x),
    parts: { learned, inputs, targets, seen, latents: round.result.latents },
  };
}
