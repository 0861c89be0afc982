import type { LossInput, LossTerm } from "@reins/core";
import {
  and,
  cast,
  div,
  eq,
  gt,
  iota,
  lt,
  maximum,
  mul,
  or,
  reshape,
  sub,
  sum,
  type Tensor,
  where,
} from "@reins/tensor";
import { asTokenMean, type CompletionRows, completionRows } from "./completions.ts";

/** Ranked completions of prompts: all pairs of rows as matrices [rows, rows]. */
export interface Lists {
  readonly rows: CompletionRows;
  /** Score that the data give to a completion, [rows]. */
  readonly score: Tensor;
  /** 1 where two rows belong to one prompt. */
  readonly same: Tensor;
  /** 1 where the first row is better than the second, of the same prompt. */
  readonly better: Tensor;
  /** Number of prompts. */
  readonly count: Tensor;
}

/** The first argument minus the second, of all pairs of rows. */
export const differences = (x: Tensor): Tensor => sub(reshape(x, [x.size, 1]), reshape(x, [1, x.size]));

/** All pairs of completions that share a prompt. Reads the columns `group` and `score`. */
export function listsOf(input: LossInput): Lists {
  const rows = completionRows(input);
  const ofRow = (name: string) => div(rows.total(input.columns[name] as Tensor), rows.length);
  const [group, score] = [ofRow("group"), ofRow("score")];
  const present = cast(rows.present, "f32");
  const both = mul(reshape(present, [present.size, 1]), reshape(present, [1, present.size]));
  // Groups are numbered, so different ones are at least 1 apart.
  const same = mul(both, cast(lt(differences(group).abs(), 0.5), "f32"));
  const better = mul(same, cast(gt(differences(score), 1e-6), "f32"));
  const size = maximum(sum(same, { axis: 1 }), 1);
  return { rows, score, same, better, count: maximum(sum(div(present, size)), 1) };
}

/** Rank of each row in its list by a value, from 1 for the largest; ties by position. */
export function ranks(value: Tensor, same: Tensor): Tensor {
  const apart = differences(value);
  const place = cast(iota([value.size]), "f32");
  const ahead = or(lt(apart, 0), and(eq(apart, 0), gt(differences(place), 0)));
  return sum(mul(same, cast(ahead, "f32")), { axis: 1 }).add(1);
}

/** A loss over ranked lists as a term: a matrix of losses of (better, worse) pairs, summed over each list. */
export function listTerm(
  losses: (lists: Lists) => Tensor,
  {
    reward,
    more,
  }: { readonly reward: (rows: CompletionRows) => Tensor; readonly more?: (lists: Lists) => Tensor },
): LossTerm {
  return {
    needs: { likelihood: "bound", for: "preference optimisation" },
    corrects: true,
    value(input) {
      const lists = listsOf(input);
      const { better, count, rows } = lists;
      const ranked = sum(where(gt(better, 0.5), losses(lists), 0)).div(count);
      const value = asTokenMean(more ? ranked.add(more(lists)) : ranked, input);
      const gap = differences(reward(rows));
      const pairs = maximum(sum(better), 1);
      const report = (name: string, of: Tensor) =>
        input.report(name, asTokenMean(sum(mul(better, of)).div(pairs), input));
      input.report("loss/preference", value);
      report("preference/accuracy", cast(gt(gap, 0), "f32"));
      report("preference/margin", gap);
      return value;
    },
  };
}
