import { add, mul, scan, sub, type Tensor, where, zeros } from "@reins/tensor";
import type { Columns } from "../batch.ts";
import { fail } from "../errors.ts";
import { type Adjustable, over } from "../signals/live.ts";
import type { Target } from "../target.ts";
import type { GaeOptions } from "./gae.ts";

/**
 * Generalised advantage estimation over texts in which only some steps count: what a tool or a prompt wrote is stepped over, as if its
 * tokens were part of the action before, which also gets what was paid on the way. Reads `reward`, `value` and `alive`, each [time, rows].
 */
export function textGae({ gamma, lambda }: GaeOptions): Target<Columns, "advantage" | "return"> {
  return (columns) => {
    const { reward, value, alive } = columns as { [name: string]: Tensor };
    if (value.rank !== 2) fail("textGae", "needs whole texts as columns [time, rows]: a policy with memory.");
    const none = zeros(value.shape.slice(1));
    const g = over(gamma, columns);
    const decay = mul(over(lambda, columns), g);
    // What is one number for all steps is no part of the loop.
    const own = (x: Tensor | number) => typeof x !== "number" && x.rank > 0;
    const rates = { ...(own(g) ? { g: g as Tensor } : {}), ...(own(decay) ? { decay } : {}) };
    const { ys } = scan(
      (later: Later, { r, v, counts, ...rate }: Step) => {
        const earned = add(r, later.owed);
        const error = sub(add(earned, mul(later.value, rate.g ?? g)), v);
        const onwards = mul(later.advantage, rate.decay ?? decay);
        const advantage = where(counts, add(error, onwards), later.advantage);
        const now = { value: where(counts, v, later.value), advantage, owed: where(counts, 0, earned) };
        return [now, advantage];
      },
      { value: none, advantage: none, owed: none },
      { r: reward, v: value, counts: alive, ...rates } as Step,
      { reverse: true },
    );
    return { advantage: ys, return: add(ys, value) };
  };
}

/** What the loop sees of a step; the rates where each step has its own. */
type Step = { r: Tensor; v: Tensor; counts: Tensor; g?: Tensor; decay?: Tensor };

/** What a step knows of those after it: the next one's value and advantage, and what was paid since on steps that do not count. */
type Later = { value: Tensor; advantage: Tensor; owed: Tensor };

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
