import { add, clamp, div, maximum, mul, neg, relu, square, sub, sum, type Tensor } from "@reins/tensor";
import { fail } from "../errors.ts";
import type { LossTerm } from "../loss.ts";
import { nn } from "../nn.ts";
import { valueBins } from "../policies/value-form.ts";
import type { ActionScores } from "../policy.ts";
import { type SettingValue, settingAt } from "../signals/live.ts";

/** The critic's value, or an error if there is no critic. */
function criticValue({ value }: ActionScores, subject: string): Tensor {
  return value ?? fail(subject, "the policy has no critic. Add one, or leave the term out.");
}

/** The value loss of each step, in the form of the critic's outputs. */
export function valueLoss(scored: ActionScores, target: Tensor, clip?: ValueClip): Tensor {
  const { valueLogits, valueLog, valueUnit: unit } = scored.extra ?? {};
  if (valueLogits) return nn.twoHotLoss(valueLogits, target, valueBins);
  if (valueLog) {
    const old = clip && { ...clip, old: nn.symlog(clip.old) };
    return mul(squaredError(valueLog, nn.symlog(target), old), 0.5);
  }
  const inUnits = clip && unit ? { ...clip, range: mul(unit, clip.range) } : clip;
  const errors = squaredError(criticValue(scored, "valueLoss"), target, inUnits);
  // A critic with several heads has one error per head and step.
  const error = errors.rank > scored.logProb.rank ? sum(errors, -1) : errors;
  return mul(unit ? div(error, square(unit)) : error, 0.5);
}

/** The old value and the range that clips the new one around it. */
type ValueClip = { readonly old: Tensor; readonly range: Tensor | number };

/** The squared error; with clipping, the larger one of the plain and the clipped error. */
function squaredError(value: Tensor, target: Tensor, clip?: ValueClip): Tensor {
  const error = square(sub(value, target));
  if (!clip) return error;
  const { old, range } = clip;
  const near = add(old, clamp(sub(value, old), neg(range), range));
  return maximum(error, square(sub(near, target)));
}

/**
 * Half the squared error of the critic against `return`, in units of the critic's scale if it has one (`extra.valueUnit`); of symlog values if it gives them (`extra.valueLog`), and the cross-entropy if it gives
 * logits over bins (`extra.valueLogits`). With `clip`, the value is clipped around the old value (as in OpenAI Baselines), except for bins.
 */
export function valueError(options: { clip?: SettingValue } = {}): LossTerm {
  return {
    value({ scored, columns, report }) {
      criticValue(scored, "valueError");
      const clip =
        options.clip === undefined
          ? undefined
          : { old: columns.value as Tensor, range: settingAt(options.clip, columns) };
      const loss = valueLoss(scored, columns.return as Tensor, clip);
      report("loss/value", loss);
      return loss;
    },
  };
}

/** The policy's entropy in nats; give it a negative weight for an entropy bonus. */
export function entropy(): LossTerm {
  return { value: ({ scored }) => scored.entropy };
}

/** How far the entropy of a step lies outside of `centre` times 1 ± `width`: a penalty against entropy collapse and growth. */
export function entropyBand(centre: SettingValue, width: SettingValue): LossTerm {
  return {
    value({ scored, columns, report }) {
      const [middle, share] = [settingAt(centre, columns), settingAt(width, columns)];
      const below = relu(sub(mul(middle, sub(1, share)), scored.entropy));
      const above = relu(sub(scored.entropy, mul(middle, add(share, 1))));
      const outside = add(below, above);
      report("policy/outside", outside);
      return outside;
    },
  };
}
