import { fail } from "@reins/core";
import { angles, type Generator } from "@reins/core/random";
import * as nn from "@reins/nn";
import {
  add,
  compile,
  exp,
  logSoftmax,
  mean,
  mul,
  random,
  slice,
  sub,
  sum,
  type Tensor,
  tensor,
  valueAndGradient,
} from "@reins/tensor";

/** Training data and settings of a row model. */
export interface RowAutoencoderOptions {
  /** Rows of equal length: first bits, each 0 or 1, then one-hot choices. */
  readonly rows: readonly Float32Array[];
  readonly bits: number;
  /** Number of options of each one-hot choice. */
  readonly choices: readonly number[];
  readonly hidden?: readonly number[];
  readonly latent?: number;
  readonly steps?: number;
  readonly learningRate?: number;
  /** Weight of the KL term. Higher generalises more and reconstructs less exactly (0.05 to 1). */
  readonly price?: number;
  readonly seed: number;
}

/** A fitted model of rows. */
export interface RowAutoencoder {
  /**
   * Logits of a row interpolated between two given rows: above 0 for bits that are likelier 1, and higher for
   * likelier choices. Means follow the arc, standard deviations a straight line (Garcin et al., 2024).
   */
  between(one: number, other: number, share: number, random: Generator): Float32Array;
  /** Mean log-likelihood of the given rows under the model. */
  readonly likelihood: number;
}

/** Fits a variational autoencoder to rows, with full-batch updates. */
export function fitRowAutoencoder(options: RowAutoencoderOptions): RowAutoencoder {
  const { rows, bits, choices, hidden = [64], latent = 8, steps = 1000, learningRate = 3e-3 } = options;
  const inputs = rows[0]?.length ?? 0;
  if (inputs === 0 || bits + choices.reduce((a, b) => a + b, 0) !== inputs)
    fail(
      "fitRowAutoencoder",
      `rows have ${inputs} numbers, but bits and choices add up to a different number.`,
    );
  const given = tensor(
    rows.map((row) => [...row]),
    { shape: [rows.length, inputs] },
  );
  const model = nn.vae({ inputs, hidden, latent });
  const optimiser = nn.adam({ learningRate });
  const likelihoodOf = (scores: Tensor, truth: Tensor) => {
    const part = (t: Tensor, from: number, to: number) =>
      slice(t, [
        [0, rows.length],
        [from, to],
      ]);
    let total = nn.distributions.bernoulli({ logits: part(scores, 0, bits) }).logProb(part(truth, 0, bits));
    let from = bits;
    for (const n of choices) {
      const [s, t] = [scores, truth].map((x) => part(x, from, from + n));
      total = add(total, sum(mul(logSoftmax(s), t), 1));
      from += n;
    }
    return mean(total);
  };
  const key = random.key(options.seed);
  const params = model.init(key);
  const update = compile(
    (weights: nn.VaeParams, state: nn.OptimiserState<nn.VaeParams>, truth: Tensor, k: Tensor) => {
      const noise = random.normal(random.foldKey(k, state.step), [rows.length, latent]);
      const { value, gradient } = valueAndGradient((w: nn.VaeParams) => {
        const lying = model.encode(w, truth);
        const z = add(lying.mean, mul(exp(lying.logSpread), noise));
        const likely = likelihoodOf(model.decode(w, z), truth);
        return sub(mul(nn.latentKl(lying), options.price ?? 1), likely);
      })(weights);
      return { ...optimiser.update(gradient, state, weights), value };
    },
    { name: "row model", donate: [0, 1], host: true },
  );
  const step = update.bind(params, optimiser.init(params), given, random.key(options.seed + 1));
  for (let i = 0; i < steps; i++) step.run();

  const lying = compile(
    (w: nn.VaeParams, x: Tensor) => {
      const { mean: at, logSpread } = model.encode(w, x);
      return { at, spread: exp(logSpread), likelihood: likelihoodOf(model.decode(w, at), x) };
    },
    { host: true },
  )(params, given);
  const z = tensor(new Float32Array(latent), { shape: [1, latent] });
  const decode = compile((w: nn.VaeParams, x: Tensor) => ({ scores: model.decode(w, x) }), {
    host: true,
  }).bind(params, z);
  const rowOf = (t: Tensor, row: number) => Array.from(t.data.subarray(row * latent, (row + 1) * latent));
  return {
    likelihood: lying.likelihood.item(),
    between(one, other, share, chance) {
      const at = slerp(rowOf(lying.at, one), rowOf(lying.at, other), share);
      const [a, b] = [rowOf(lying.spread, one), rowOf(lying.spread, other)];
      for (let i = 0; i < latent; i++)
        z.data[i] = at[i] + (a[i] + share * (b[i] - a[i])) * chance.standardNormal();
      decode.run();
      return Float32Array.from(decode.result.scores.data as Float32Array);
    },
  };
}

/** Spherical interpolation between two vectors (Shoemake, 1985); linear where they are parallel. */
export function slerp(a: readonly number[], b: readonly number[], share: number): number[] {
  const dot = (x: readonly number[], y: readonly number[]) => x.reduce((sum, v, i) => sum + v * y[i], 0);
  const cos = dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b) || 1);
  const whole = Math.sqrt(Math.max(0, 1 - cos * cos));
  const angle = angles.atan2(whole, cos);
  const [p, q] =
    whole < 1e-6
      ? [1 - share, share]
      : [angles.sin((1 - share) * angle) / whole, angles.sin(share * angle) / whole];
  return a.map((v, i) => p * v + q * b[i]);
}
