import { add, minimum, mul, sub, type Tensor, where } from "@reins/tensor";
import { type SettingValue, settingAt } from "../signals/live.ts";
import type { Fragment, Target } from "../target.ts";
import { backwards, following } from "./backwards.ts";
import { agentSteps } from "./waiting.ts";

/** Settings of {@link vTrace}. */
export interface VTraceOptions {
  gamma: SettingValue;
  /** As in TD(λ); 1 in the paper. */
  lambda?: SettingValue;
  /** Clip of the ratio in a step's TD error, which determines the evaluated policy. Higher corrects more and has more variance. Default 1. */
  clipRho?: SettingValue;
  /** Clip of the ratio by which errors propagate back, which determines the speed of convergence. Default 1. */
  clipC?: SettingValue;
}

/**
 * V-trace (Espeholt et al., 2018): returns and advantages of the current policy from the steps of an older one. The column `ratio` is
 * the importance ratio of each action.
 */
export function vTrace({
  gamma,
  lambda = 1,
  clipRho = 1,
  clipC = 1,
}: VTraceOptions): Target<Fragment & { readonly ratio: Tensor }, "advantage" | "return"> {
  return (s) => {
    const g = settingAt(gamma, s);
    const { reward, next, later, acted, factor } = agentSteps(s, g);
    const rho = minimum(s.ratio, settingAt(clipRho, s));
    const c = mul(minimum(s.ratio, settingAt(clipC, s)), settingAt(lambda, s));
    const delta = acted(mul(rho, sub(add(reward, mul(later(next), g)), s.value)));
    const corrected = add(s.value, backwards(delta, factor(mul(c, g))));
    // The next state has its corrected value, within an episode.
    const after = later(where(s.done, next, following(corrected, s.nextValue)));
    return { return: corrected, advantage: acted(mul(rho, sub(add(reward, mul(after, g)), s.value))) };
  };
}
