import { add, mul, sub } from "@reins/tensor";
import { type SettingValue, settingAt } from "../signals/live.ts";
import type { Fragment, Target } from "../target.ts";
import { backwards } from "./backwards.ts";
import { agentSteps } from "./waiting.ts";

/** Settings of {@link gae}. */
export interface GaeOptions {
  /** Discount factor (0.9 to 0.999). Higher looks further ahead and has more variance. */
  gamma: SettingValue;
  /** GAE λ: 0 relies on the critic, 1 on the returns (0.9 to 0.98). */
  lambda: SettingValue;
}

/** Generalised advantage estimation (Schulman et al., 2016): columns `advantage` and `return`, [time, rows]. The steps in which an agent waits belong to its last action. */
export function gae({ gamma, lambda }: GaeOptions): Target<Fragment, "advantage" | "return"> {
  return (s) => {
    const g = settingAt(gamma, s);
    const decay = mul(g, settingAt(lambda, s));
    const { reward, next, later, acted, factor } = agentSteps(s, g);
    const delta = acted(sub(add(reward, mul(later(next), g)), s.value));
    // Nothing propagates across the end of an episode, terminated or truncated.
    const advantage = acted(backwards(delta, factor(decay)));
    return { advantage, return: add(advantage, s.value) };
  };
}
