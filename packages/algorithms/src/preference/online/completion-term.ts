import type { JudgedEpisode, LossInput, LossTerm } from "@reins/core";
import { groupEpisodes } from "@reins/core/episodes";
import { cast, gt, maximum, sum, type Tensor, where } from "@reins/tensor";
import { asTokenMean, type CompletionRows, completionRows } from "../completions.ts";

/** Completions of prompts with their win rates. */
export interface Compared {
  readonly rows: CompletionRows;
  /** Win rate of each completion, [rows] (column `wins`). */
  readonly wins: Tensor;
  readonly input: LossInput;
}

/** The loss of each completion, [rows]. */
export type CompletionLoss = (compared: Compared) => Tensor;

/** A loss over single completions as a term, with its metrics. `corrects`: whether older samples may enter it. */
export function completionTerm(loss: CompletionLoss, corrects: boolean): LossTerm {
  return {
    needs: { likelihood: "bound", for: "preference optimisation" },
    corrects,
    value(input) {
      const { columns, whole } = input;
      const rows = completionRows(input);
      const { total, length, present } = rows;
      const tokens = sum(where(whole ?? (columns.alive as Tensor), 1, 0), { axis: 0 });
      const count = maximum(sum(cast(gt(tokens, 0), "f32")), 1);
      const mean = (of: Tensor) => asTokenMean(sum(where(present, of, 0)).div(count), input);
      const wins = total(columns.wins as Tensor).div(length);
      const value = mean(loss({ rows, wins, input }));
      input.report("loss/preference", value);
      input.report("preference/win-rate", mean(wins));
      return value;
    },
  };
}

/** A number per episode as a column: on all of its tokens. */
export const tokenColumn = (
  judged: readonly JudgedEpisode[],
  of: (one: JudgedEpisode) => number,
): Float32Array =>
  Float32Array.from(
    judged.flatMap((one) => new Array<number>((one.episode.columns.by as Tensor).size).fill(of(one))),
  );

/**
 * The column `wins`: an estimate of the win rate of each completion against the policy. It is compared with all of the
 * prompt, itself included, which ties: differences of these rates are unbiased where they multiply the gradients of the
 * same completions, and two completions give P(y ≻ y′) and 1/2.
 */
export function winsColumn(judged: readonly JudgedEpisode[]): { readonly wins: Float32Array } {
  const sizes = new Map<JudgedEpisode, number>();
  for (const group of groupEpisodes(judged)) for (const one of group) sizes.set(one, group.length);
  const rate = (one: JudgedEpisode) => {
    const size = sizes.get(one)!;
    return (one.reward * (size - 1) + 0.5) / size;
  };
  return { wins: tokenColumn(judged, rate) };
}
