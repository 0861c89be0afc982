import { clamp, exp, mean, mul, random, slice, square, sub, sum, type Tensor } from "@reins/tensor";
import { type MlpParams, mlp } from "./mlp.ts";

/** The parameters of {@link vae}. */
export type VaeParams = { encoder: MlpParams; decoder: MlpParams };

/** Settings of {@link vae}. */
export interface VaeOptions {
  /** Length of a row. */
  inputs: number;
  /** Widths of the encoder's hidden layers; the decoder has them in reverse order. */
  hidden?: readonly number[];
  /** Latent dimensions. More preserve more information, with a sparser latent space (2 to 64). */
  latent: number;
}

/** Mean and log standard deviation of a row's latent distribution. */
export interface LatentDistribution {
  readonly mean: Tensor;
  readonly logSpread: Tensor;
}

/** A variational autoencoder of rows (Kingma and Welling, 2014). The caller interprets the output of `decode`. */
export function vae({ inputs, hidden = [64], latent }: VaeOptions) {
  const encoder = mlp({ inputs, hidden, outputs: 2 * latent, activation: "relu" });
  const decoder = mlp({
    inputs: latent,
    hidden: [...hidden].reverse(),
    outputs: inputs,
    activation: "relu",
  });
  return {
    init(key: Tensor): VaeParams {
      const [one, other] = random.splitKey(key);
      return { encoder: encoder.init(one), decoder: decoder.init(other) };
    },
    encode(params: VaeParams, rows: Tensor): LatentDistribution {
      const both = encoder.apply(params.encoder, rows);
      const part = (from: number) =>
        slice(both, [
          [0, both.shape[0]],
          [from, from + latent],
        ]);
      return { mean: part(0), logSpread: clamp(part(latent), -6, 2) };
    },
    decode: (params: VaeParams, z: Tensor): Tensor => decoder.apply(params.decoder, z),
  };
}

/** KL divergence from a standard normal distribution, averaged over rows. */
export const latentKl = ({ mean: at, logSpread }: LatentDistribution): Tensor =>
  mul(mean(sum(sub(square(at).add(exp(mul(logSpread, 2))), mul(logSpread, 2).add(1)), 1)), 0.5);
