import { mul } from "@reins/tensor";
import type { LossTerm } from "../loss.ts";
import { type SettingValue, settingAt } from "../signals/live.ts";

/** A term times a weight. */
export function weighted(weight: SettingValue, term: LossTerm): LossTerm {
  return { ...term, value: (m) => mul(term.value(m), settingAt(weight, m.columns)) };
}

/** A term times a negative weight, to maximise it. */
export function minus(weight: SettingValue, term: LossTerm): LossTerm {
  return { ...term, value: (m) => mul(term.value(m), mul(settingAt(weight, m.columns), -1)) };
}
