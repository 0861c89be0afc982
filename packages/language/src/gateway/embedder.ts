import type { GptParams } from "@reins/nn";
import { compile, div, expandDims, mul, sqrt, sum, type Tensor, zeros } from "@reins/tensor";
import type { LanguageModel } from "../models/language-model.ts";

/** Positions for texts of this length: few sizes mean few compiled programs. */
const sizeFor = (length: number): number => 2 ** Math.ceil(Math.log2(Math.max(16, length)));

/** Embeds texts: the mean of the last hidden states, scaled to length 1. */
export class Embedder {
  private readonly embed;
  private readonly context: number;

  constructor({ model, options }: LanguageModel) {
    this.context = options.context;
    this.embed = compile(
      (params: GptParams, tokens: Tensor, counted: Tensor) => {
        const hidden = model.hidden(params, tokens);
        // Padding follows the text, which the causal mask keeps from attending to it.
        const mean = sum(mul(hidden, expandDims(counted, -1)), [0, 1]);
        return div(mean, sqrt(sum(mul(mean, mean))));
      },
      { name: "embed" },
    );
  }

  /** The embedding of one text. */
  of(params: GptParams, tokens: readonly number[]): Float32Array {
    const size = Math.min(sizeFor(tokens.length), this.context);
    const [ids, counted] = [zeros([1, size], "i32"), zeros([1, size])];
    ids.data.set(tokens);
    counted.data.fill(1, 0, tokens.length);
    return Float32Array.from(this.embed(params, ids, counted).data as Float32Array);
  }
}
