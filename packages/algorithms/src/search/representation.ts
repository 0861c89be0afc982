import { fail } from "@reins/core";
import { sampleComponent } from "@reins/core/evaluations";
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
import { LinearModels } from "../bandits/linear-model.ts";
import type { SearchGuideMaker } from "./guide.ts";
import { deviationOf, meanOf } from "./strategy.ts";

/** Settings of {@link policyRepresentation}. */
export interface PolicyRepresentationOptions {
  /** Fraction of a step taken from the model. Higher relies on it more (0.1 to 1; default 0.5). */
  readonly share?: number;
  /** Dimensions of a policy representation. Fewer are learned sooner and carry less (4 to 64; default 16). */
  readonly latent?: number;
  /** Width of the encoder's hidden layer (default 64). */
  readonly hidden?: number;
  /** Candidate policies evaluated by the model per generation; an even number (default 256). */
  readonly candidates?: number;
  /** Policies in the buffer (default 1024). */
  readonly memory?: number;
  /** Encoder updates per generation (default 16). */
  readonly updates?: number;
  /** Minibatch size in policies (default 64). */
  readonly batch?: number;
  readonly learningRate?: number;
  /** Weight of the KL term to a standard normal prior (default 0.01). */
  readonly divergenceWeight?: number;
  /** Ridge penalty of the linear model (default 0.1). */
  readonly ridge?: number;
  /** Scale of posterior sampling; 0 uses the posterior mean (default 1). */
  readonly boldness?: number;
}

type Weights = { readonly encoder: nn.MlpParams; readonly value: nn.LinearParams };
type Learned = { weights: Weights; optimiser: nn.OptimiserState<Weights>; count: Tensor };

/**
 * Represents policies by vectors in which their values are linear, and guides a search by a linear bandit on them
 * (Nabati et al., "Representation-Driven Reinforcement Learning", 2023). An encoder, trained on all evaluated
 * policies and their returns, gives a normal distribution over representations for the weights of a policy; a
 * value function is sampled from the posterior of the linear model (Thompson sampling), and the search follows its
 * gradient around the centre.
 */
export function policyRepresentation(options: PolicyRepresentationOptions = {}): SearchGuideMaker {
  const o = { ...usual, ...options };
  if (!Number.isInteger(o.candidates / 2) || o.candidates < 2)
    fail(
      "representation",
      `candidates is ${o.candidates}, but candidates come in pairs. Use an even number of at least 2.`,
    );
  return (size, random) => {
    const model = encoding(size, o, random);
    const { inputs, targets, seen } = model;
    const counters = { told: 0 };
    const [centreOf, scaleOf] = [new Float64Array(size), new Float64Array(size).fill(1)];
    const returns = new Float64Array(o.memory);
    const policies = Array.from({ length: o.memory }, () => new Float64Array(size));
    const count = () => Math.min(counters.told, o.memory);
    const asked = zeros([o.candidates, size]);
    const values = new Float64Array(o.candidates);

    /** Policies and their standardised returns. */
    const standardise = () => {
      const n = count();
      for (let k = 0; k < size; k++) {
        let [total, squares] = [0, 0];
        for (let i = 0; i < n; i++) total += policies[i][k];
        centreOf[k] = total / n;
        for (let i = 0; i < n; i++) squares += (policies[i][k] - centreOf[k]) ** 2;
        scaleOf[k] = Math.sqrt(squares / n) || 1;
        for (let i = 0; i < n; i++) inputs.data[i * size + k] = (policies[i][k] - centreOf[k]) / scaleOf[k];
      }
      const known = returns.subarray(0, n);
      const [level, spread] = [meanOf(known), deviationOf(known) || 1];
      for (let i = 0; i < n; i++) targets.data[i] = (known[i] - level) / spread;
      seen.data[0] = n;
    };

    return {
      share: o.share,
      told(members, earned) {
        members.forEach((member, i) => {
          const at = counters.told++ % o.memory;
          policies[at].set(member);
          returns[at] = earned[i];
        });
        standardise();
        model.learn();
      },
      direction(centre, sigma) {
        const theta = drawn(model.latents.data, targets.data, count(), o, random);
        const directions = Array.from({ length: o.candidates / 2 }, () =>
          Float64Array.from({ length: size }, () => random.normal()),
        );
        directions.forEach((direction, i) => {
          for (let k = 0; k < size; k++) {
            const off = (centre[k] - centreOf[k]) / scaleOf[k];
            const step = (sigma * direction[k]) / scaleOf[k];
            asked.data[2 * i * size + k] = off + step;
            asked.data[(2 * i + 1) * size + k] = off - step;
          }
        });
        const latents = model.encode(asked).data;
        for (let i = 0; i < values.length; i++) {
          values[i] = 0;
          for (let j = 0; j < o.latent; j++) values[i] += latents[i * o.latent + j] * theta[j];
        }
        const scale = 1 / ((deviationOf(values) || 1) * directions.length);
        const along = new Float64Array(size);
        directions.forEach((direction, i) => {
          const rise = scale * (values[2 * i] - values[2 * i + 1]);
          for (let k = 0; k < size; k++) along[k] += rise * direction[k];
        });
        return along;
      },
      parts: { ...model.parts, policies, returns, counters, centreOf, scaleOf },
    };
  };
}

const usual = {
  ...{ share: 0.5, latent: 16, hidden: 64, candidates: 256, memory: 1024, updates: 16, batch: 64 },
  ...{ learningRate: 3e-3, divergenceWeight: 0.01, ridge: 0.1, boldness: 1 },
};

/**
 * The encoder and its training columns: all updates of a generation are one compiled call, which ends with the
 * representations of all policies.
 */
function encoding(size: number, o: Required<PolicyRepresentationOptions>, random: Generator) {
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
    { name: "representation of policies", donate: [0] },
  ).bind(learned);
  const encode = compile((w: Weights, x: Tensor) => halves(w, x)[0], { name: "represented policies" });
  return {
    ...{ inputs, targets, seen, latents: round.result.latents },
    learn: () => round.run(),
    encode: (x: Tensor) => encode(learned.weights, x),
    parts: { learned, inputs, targets, seen, latents: round.result.latents },
  };
}

/** Weights of the linear model, sampled from the posterior given all evaluated policies. */
function drawn(
  latents: ArrayLike<number>,
  targets: ArrayLike<number>,
  count: number,
  o: Required<PolicyRepresentationOptions>,
  random: Generator,
): ArrayLike<number> {
  const d = o.latent;
  const model = new LinearModels(1, d, o.ridge);
  const x = new Float64Array(d);
  const load = (i: number) => {
    for (let j = 0; j < d; j++) x[j] = latents[i * d + j];
  };
  for (let i = 0; i < count; i++) {
    load(i);
    model.learn(0, x, 0, targets[i]);
  }
  // The noise variance is the model's residual variance, with one unit as a prior.
  let squares = 1;
  for (let i = 0; i < count; i++) {
    load(i);
    squares += (targets[i] - model.predict(0, x, 0)) ** 2;
  }
  const variance = (o.boldness ** 2 * squares) / (count + 1);
  const covariance = Array.from({ length: d }, (_, i) =>
    model.inverse.slice(i * d, (i + 1) * d).map((c) => variance * c),
  );
  return sampleComponent({ weight: 1, mean: model.theta, covariance }, d, random);
}
