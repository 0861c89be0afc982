import { cast, div, expandDims, max, reshape, slice, sum, type Tensor, where, zeros } from "@reins/tensor";
import type { Layer } from "../layer.ts";
import { type AttentionParams, attention } from "./attention.ts";

/** How tokens are pooled into one vector: by attention with a query from the first token ("attention"), their mean ("mean"), their elementwise maximum ("max"), or the first token alone ("first"). */
export type PoolingKind = "attention" | "mean" | "max" | "first";

/** Tokens [batch, tokens, width], and a mask of those that are present: bool [batch, tokens]. */
export type TokenSet = { tokens: Tensor; there: Tensor };

/** Settings of {@link pooling}. */
export interface PoolingOptions {
  /** Length of a token, and of the result. */
  width: number;
  /** Kind of pooling (default "attention"). */
  kind?: PoolingKind;
  /** Attention heads, which must divide `width` (1 to 8; default 1). */
  heads?: number;
}

/**
 * Pools tokens into one vector: [batch, width]. With attention, the first token is the query, so it should describe the agent itself:
 * irrelevant tokens then have no effect, whatever their number, whereas they dilute a mean and dominate a maximum (Brothers, "Robust
 * Noise Attenuation via Adaptive Pooling of Transformer Outputs", 2025).
 */
export function pooling({
  width,
  kind = "attention",
  heads = 1,
}: PoolingOptions): Layer<AttentionParams | undefined, TokenSet> {
  const attend = attention({ width, heads, causal: false });
  const first = (t: Tensor, axis: number) => slice(t, [...Array<null>(axis).fill(null), [0, 1]]);
  return {
    init: (key) => (kind === "attention" ? attend.init(key) : undefined),
    apply(params, { tokens, there }) {
      const [batch, count] = there.shape;
      const one = expandDims(there, -1);
      switch (kind) {
        case "mean":
          return div(sum(where(one, tokens, 0), 1), sum(cast(one, "f32"), 1));
        case "max":
          return max(where(one, tokens, -1e30), 1);
        case "first":
          return reshape(first(tokens, 1), [batch, width]);
        case "attention": {
          const { queries, keys, values } = attend.project(params!, tokens, zeros([count], "i32"));
          const mask = reshape(there, [batch, 1, 1, count]);
          return reshape(attend.mix(params!, first(queries, 2), keys, values, { mask }), [batch, width]);
        }
      }
    },
  };
}
