import { add, mul, scan, sub, type Tensor, where, zeros } from "@reins/tensor";
import { type Adjustable, over } from "../signals/live.ts";
import type { Columns } from "../target.ts";
import type { GaeOptions } from "./gae.ts";

/**
 * Generalised advantage estimation over texts in which only some steps count: what a tool or a prompt wrote is stepped over, as if its
 * tokens were part of the action before. Reads `reward`, `value` and `alive`, each [time, rows].
 */
export function gaeOverText({ gamma, lambda }: GaeOptions) {
  return (columns: Columns): { advantage: Tensor; return: Tensor } => {
    const { reward, value, alive } = columns as { [name: string]: Tensor };
    const g = over(gamma, columns);
    const decay = mul(over(lambda, columns), g);
    const { ys } = scan(
      (later: { value: Tensor; advantage: Tensor }, now: { r: Tensor; v: Tensor; counts: Tensor }) => {
        const { r, v, counts } = now;
        const error = sub(add(r, mul(later.value, g)), v);
        const advantage = where(counts, add(error, mul(later.advantage, decay)), later.advantage);
        return [{ value: where(counts, v, later.value), advantage }, advantage];
      },
      { value: zeros(value.shape.slice(1)), advantage: zeros(value.shape.slice(1)) },
      { r: reward, v: value, counts: alive },
      { reverse: true },
    );
    return { advantage: ys, return: add(ys, value) };
  };
}

/** Rewards with a penalty for leaving a reference: the divergence's first estimator, paid at each step that counts. */
export function paidForDivergence(
  columns: Columns,
  logProb: Tensor,
  reference: Tensor,
  weight: Adjustable,
): Tensor {
  const penalty = mul(sub(logProb, reference), over(weight, columns));
  return sub(columns.reward as Tensor, where(columns.alive as Tensor, penalty, 0));
}
