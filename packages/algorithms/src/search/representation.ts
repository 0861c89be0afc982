import { fail } from "@reins/core";
import { sampleComponent } from "@reins/core/evaluations";
import type { Generator } from "@reins/core/random";
import { zeros } from "@reins/tensor";
import { LinearModels } from "../bandits/linear-model.ts";
import type { SearchGuideMaker } from "./guide.ts";
import { type PolicyEncoderOptions, policyEncoder } from "./policy-encoder.ts";
import { deviationOf, meanOf } from "./strategy.ts";

/** Settings of {@link policyRepresentation}. */
export interface PolicyRepresentationOptions extends PolicyEncoderOptions {
  /** Fraction of a step taken from the model. Higher relies on it more (0.1 to 1; default 0.5). */
  readonly share?: number;
  /** Candidate policies evaluated by the model per generation; an even number (default 256). */
  readonly candidates?: number;
  /** Ridge penalty of the linear model (default 0.1). */
  readonly ridge?: number;
  /** Scale of posterior sampling; 0 uses the posterior mean (default 1). */
  readonly boldness?: number;
}

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
    const model = policyEncoder(size, o, random);
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
      told(members, rewards) {
        members.forEach((member, i) => {
          const at = counters.told++ % o.memory;
          policies[at].set(member);
          returns[at] = rewards[i];
        });
        standardise();
        model.learn();
      },
      direction(centre, sigma) {
        const theta = sampleWeights(
          { latents: model.latents.data, targets: targets.data, count: count() },
          o,
          random,
        );
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

/** Representations of the evaluated policies, with their standardised returns. */
interface Evaluated {
  readonly latents: ArrayLike<number>;
  readonly targets: ArrayLike<number>;
  readonly count: number;
}

/** Weights of the linear model, sampled from the posterior given all evaluated policies. */
function sampleWeights(
  { latents, targets, count }: Evaluated,
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
