import { compile, gather, reshape, type Tensor, zeros } from "@reins/tensor";
import type { RewardModel, RewardParams } from "../models/reward-model.ts";

/** Texts per batch. */
const rows = 16;

/** Positions for texts of this length: few sizes mean few compiled programs. */
const sizeFor = (length: number): number =>
  length <= 64 ? 16 * Math.ceil(length / 16) : 2 ** Math.ceil(Math.log2(length));

/** Scores texts in batches; returns for each text its reward by each head. The order of texts does not change the numbers. */
export class TextRewards {
  private readonly model: RewardModel;
  private readonly longest: number;
  private readonly call: (params: RewardParams, tokens: Tensor, last: Tensor) => Tensor;

  constructor(model: RewardModel) {
    const { heads, base } = model;
    this.model = model;
    this.longest = base.options.context;
    this.call = compile(
      (params: RewardParams, tokens: Tensor, last: Tensor) => {
        const [count] = tokens.shape;
        const all = model.rewards(params, tokens);
        return reshape(gather(all, reshape(last, [count, 1, 1]), 1), [count, heads]);
      },
      { name: "rewards of texts" },
    );
  }

  /** The position of the token at which a text is scored: the last one that is not padding. */
  private lastOf(tokens: readonly number[]): number {
    const { padding } = this.model;
    let last = tokens.length - 1;
    while (last > 0 && tokens[last] === padding) last--;
    return last;
  }

  /** Rewards by head of each text, with other weights than the model's if given. */
  of(texts: readonly (readonly number[])[], params: RewardParams = this.model.params): Float32Array[] {
    const { heads } = this.model;
    const out: Float32Array[] = [];
    const order = texts.map((_, i) => i).sort((a, b) => texts[a].length - texts[b].length);
    for (let from = 0; from < order.length; from += rows) {
      const some = order.slice(from, from + rows);
      const time = Math.min(sizeFor(texts[some[some.length - 1]].length), this.longest);
      const [tokens, last] = [zeros([rows, time], "i32"), zeros([rows], "i32")];
      some.forEach((text, row) => {
        tokens.data.set(texts[text], row * time);
        last.data[row] = this.lastOf(texts[text]);
      });
      const { data } = this.call(params, tokens, last);
      some.forEach(
        (text, row) => (out[text] = Float32Array.from(data.subarray(row * heads, (row + 1) * heads))),
      );
    }
    return out;
  }
}
