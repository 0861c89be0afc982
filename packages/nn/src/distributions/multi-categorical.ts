import { add, random, reshape, slice, split, stack, type Tensor } from "@reins/tensor";
import { fail, show } from "../errors.ts";
import { type Categorical, categorical } from "./categorical.ts";
import type { Distribution } from "./distribution.ts";

/** Parameters of {@link multiCategorical}. */
export interface MultiCategoricalOptions {
  /** The logits of all parts side by side on the last axis. */
  logits: Tensor;
  /** Number of categories of each part. */
  sizes: readonly number[];
  /** True for allowed categories, the shape of the logits. */
  mask?: Tensor;
}

/** Return type of {@link multiCategorical}. */
export interface MultiCategorical extends Distribution {
  readonly parts: readonly Categorical[];
}

/** Several independent categories at once: actions are i32 [..., parts]. Entropy and KL are exact. */
export function multiCategorical({ logits, sizes, mask }: MultiCategoricalOptions): MultiCategorical {
  const count = sizes.reduce((n, d) => n + d, 0);
  if (logits.shape[logits.rank - 1] !== count) {
    fail(
      "multiCategorical",
      `parts of ${sizes.join(" + ")} need ${count} logits on the last axis, but got ${show(logits.shape)}.`,
    );
  }
  const masks = mask && split(mask, sizes, -1);
  const parts = split(logits, sizes, -1).map((l, i) => categorical({ logits: l, mask: masks?.[i] }));
  const total = (terms: Tensor[]) => terms.reduce((a, b) => add(a, b));
  const column = (x: Tensor, i: number) =>
    reshape(
      slice(
        x,
        x.shape.map((_, a) => (a === x.rank - 1 ? ([i, i + 1] as const) : null)),
      ),
      x.shape.slice(0, -1),
    );
  return {
    parts,
    sample: (key) =>
      stack(
        random.splitKey(key, sizes.length).map((k, i) => parts[i].sample(k)),
        -1,
      ),
    logProb: (x) => total(parts.map((p, i) => p.logProb(column(x, i)))),
    mode: () =>
      stack(
        parts.map((p) => p.mode()),
        -1,
      ),
    entropy: () => total(parts.map((p) => p.entropy())),
    kl: (other) => total(parts.map((p, i) => p.kl(other.parts[i]))),
  };
}
