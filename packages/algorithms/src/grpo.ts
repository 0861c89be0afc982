import { define } from "@reins/core";
import { options } from "./post-training/options.ts";
import { groupParts, startGroups } from "./post-training/start.ts";

/**
 * Group Relative Policy Optimization (Shao et al., 2024): play each problem several times, and make likelier what was done in the plays
 * that went better than the others. There is no critic. On an environment a problem is a first state: the plays of a group share its
 * seed. Every step counts the same, whatever its episode's length (Liu et al., 2025).
 */
export const grpo = define({
  name: "grpo",
  summary: "Clipped policy gradient that compares several plays of the same start: needs no critic.",
  paper:
    "DeepSeekMath: Pushing the Limits of Mathematical Reasoning in Open Language Models (Shao et al., 2024)",
  options,
  start: (o, context) => startGroups(groupParts("grpo", o, context), o.klWeight.setting !== 0, context),
});
