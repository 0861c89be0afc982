import { add, mul, scan, sub, type Tensor, where, zeros } from "@reins/tensor";
import type { Columns } from "../batch.ts";
import { fail } from "../errors.ts";
import { type SettingValue, settingAt } from "../signals/live.ts";
import type { Target } from "../target.ts";
import { inEpisodeOrder } from "./episode-order.ts";
import type { GaeOptions } from "./gae.ts";

/**
 * GAE over texts with a loss mask: tokens of tools and prompts are skipped, as if they
 * were part of the previous action, which also gets their rewards. An episode of several segments is one sequence. Reads `reward`, `value` and `alive`, each [time, rows].
 */
export function textGae(options: GaeOptions): Target<Columns, "advantage" | "return"> {
  return (columns) => inEpisodeOrder(columns, (ordered) => overTokens(options, ordered));
}

function overTokens({ gamma, lambda }: GaeOptions, columns: Columns) {
  const { reward, value, alive } = columns as { [name: string]: Tensor };
  if (value.rank !== 2)
    fail("textGae", "needs whole texts as columns [time, rows]. Use a policy with memory.");
  const none = zeros(value.shape.slice(1));
  const g = settingAt(gamma, columns);
  const decay = mul(settingAt(lambda, columns), g);
  // A number that is equal for all steps stays outside the loop.
  const own = (x: Tensor | number) => typeof x !== "number" && x.rank > 0;
  const rates = { ...(own(g) ? { g: g as Tensor } : {}), ...(own(decay) ? { decay } : {}) };
  const { ys } = scan(
    (later: Later, { r, v, counts, ...rate }: Step) => {
      const rewards = add(r, later.owed);
      const error = sub(add(rewards, mul(later.value, rate.g ?? g)), v);
      const onwards = mul(later.advantage, rate.decay ?? decay);
      const advantage = where(counts, add(error, onwards), later.advantage);
      const now = { value: where(counts, v, later.value), advantage, owed: where(counts, 0, rewards) };
      return [now, advantage];
    },
    { value: none, advantage: none, owed: none },
    { r: reward, v: value, counts: alive, ...rates } as Step,
    { reverse: true },
  );
  return { advantage: ys, return: add(ys, value) };
}

/** A step in the loop, with its own rates if they differ per step. */
type Step = { r: Tensor; v: Tensor; counts: Tensor; g?: Tensor; decay?: Tensor };

/** State of the backward loop: the next step's value and advantage, and rewards since then on masked steps. */
type Later = { value: Tensor; advantage: Tensor; owed: Tensor };

/** Rewards with a KL penalty for leaving a reference (k1 estimator), at each step in the loss. */
export function klPenalisedRewards(
  columns: Columns,
  logProb: Tensor,
  reference: Tensor,
  weight: SettingValue,
): Tensor {
  const penalty = mul(sub(logProb, reference), settingAt(weight, columns));
  return sub(columns.reward as Tensor, where(columns.alive as Tensor, penalty, 0));
}
