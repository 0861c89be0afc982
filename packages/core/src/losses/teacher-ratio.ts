import { add, div, exp, mul, neg, type Tensor, where } from "@reins/tensor";
import { type SettingValue, settingAt } from "../signals/live.ts";
import type { Ratio } from "./policy-gradient.ts";

/**
 * For a teacher's steps inside a group, which have no behaviour probability: their weight is p / (p + strength), so that steps that the
 * policy finds unlikely still count (LUFFY, Yan et al., 2025). `inner` bounds the ratios of the policy's own steps. Reads the column `taught`.
 */
export function teacherRatio(inner: Ratio, strength: SettingValue = 0.1): Ratio {
  return (input) => {
    const { advantage, columns, logProb } = input;
    const own = inner(input);
    const taught = columns.taught as Tensor | undefined;
    if (!taught) return own;
    const p = exp(logProb);
    return where(taught, neg(mul(advantage, div(p, add(p, settingAt(strength, columns))))), own);
  };
}
