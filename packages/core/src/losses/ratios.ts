import {
  add,
  clamp,
  div,
  exp,
  log,
  lt,
  maximum,
  minimum,
  mul,
  neg,
  ones,
  sign,
  stopGradient,
  sub,
  sum,
  type Tensor,
  where,
} from "@reins/tensor";
import type { Columns } from "../batch.ts";
import { fail } from "../errors.ts";
import { type SettingValue, settingAt } from "../signals/live.ts";
import { overEpisodes } from "./episode-rows.ts";
import { clipped, type Ratio } from "./policy-gradient.ts";

/**
 * Dual clip: the loss of actions with a negative advantage that have become much likelier is at most `most` times the advantage (Ye et al.,
 * 2020). Without it a single such action can dominate a batch.
 */
export function dualClipped(clip: SettingValue, high: SettingValue = clip, most: SettingValue = 3): Ratio {
  const inner = clipped(clip, high);
  return (input) => {
    const { advantage, columns } = input;
    const loss = inner(input);
    const bound = neg(mul(advantage, settingAt(most, columns)));
    return where(lt(advantage, 0), minimum(loss, bound), loss);
  };
}

/**
 * The detached, clipped ratio as a weight: every token keeps the gradient of its log-probability (CISPO,
 * MiniMax, 2025). Rare tokens that change the course of reasoning are not cut off.
 */
export function detachedClip(clip: SettingValue, high: SettingValue = clip): Ratio {
  return ({ ratio, advantage, columns, logProb }) => {
    const held = clamp(ratio, sub(1, settingAt(clip, columns)), add(settingAt(high, columns), 1));
    return neg(mul(mul(stopGradient(held), advantage), logProb));
  };
}

/**
 * One ratio per text, the geometric mean of its tokens' ratios, bounded by `inner` (GSPO, Zheng et al., 2025). Each token's
 * gradient is as if the text's ratio were its own.
 */
export function sequenceRatio(inner: Ratio): Ratio {
  return (input) => {
    const { ratio, columns, logProb } = input;
    const whole = exp(stopGradient(meanOverText(logOf(ratio, columns), columns, "sequenceRatio")));
    return inner({ ...input, ratio: mul(whole, exp(sub(logProb, stopGradient(logProb)))) });
  };
}

/**
 * The geometric mean of clipped ratios, as one loss per text (GMPO, Zhao et al., 2025). `clip` is a distance of log-probabilities;
 * combine it with `perText` for the mean over texts.
 */
export function geometricRatio(clip: SettingValue, high: SettingValue = clip): Ratio {
  return ({ ratio, advantage, columns }) => {
    const moved = logOf(ratio, columns);
    const towards = sign(advantage);
    const held = clamp(moved, neg(settingAt(clip, columns)), settingAt(high, columns));
    // The minimum of the two, in the direction of the advantage.
    const least = mul(towards, minimum(mul(towards, moved), mul(towards, held)));
    const of = (x: Tensor) => meanOverText(x, columns, "geometricRatio");
    return neg(mul(of(advantage), exp(of(least))));
  };
}

/** The logarithm of ratios. The ratio of masked tokens can be 0, whose logarithm would corrupt every sum. */
function logOf(ratio: Tensor, { alive }: Columns): Tensor {
  return log(alive ? where(alive as Tensor, ratio, 1) : ratio);
}

/** The mean of each text over its tokens in the loss, at each of them: columns are [time, rows]. An episode in several segments is one text. */
function meanOverText(x: Tensor, columns: Columns, what: string): Tensor {
  if (x.rank !== 2) fail(what, "needs whole texts as columns [time, rows]. Use a policy with memory.");
  const alive = columns.alive as Tensor | undefined;
  const counts = alive ? where(alive, 1, 0) : ones(x.shape);
  const numbers = columns.episodeNumber as Tensor | undefined;
  const total = overEpisodes(sum(mul(x, counts), { axis: 0, keepDims: true }), numbers);
  const length = maximum(overEpisodes(sum(counts, { axis: 0, keepDims: true }), numbers), 1);
  return mul(div(total, length), counts);
}
