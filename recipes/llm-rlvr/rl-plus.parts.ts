import * as losses from "@reins/core/losses";
import { add, div, exp, mul, neg, sqrt, stopGradient, sub, type Tensor, where } from "@reins/tensor";
import { tracedGrpo } from "../shared/traces.ts";
import { tracesTask } from "../testbeds/traces.ts";

/** 2 π / (π_old + ω) with ω = (π_old + 1) / 2: the importance weight of a trace's token under a mixture of the old policy and an unknown one. */
export function mixtureWeight(logProb: Tensor, old: Tensor): Tensor {
  const before = exp(old);
  return div(mul(exp(logProb), 2), add(before, mul(add(before, 1), 0.5)));
}

/** √(1 − π), without a gradient: the share of the advantage that tokens get which the policy already finds likely is small. */
export const novelty = (logProb: Tensor): Tensor => sqrt(sub(1.000001, exp(stopGradient(logProb))));

/** A trace in place of one sample of each group, with its own weights; samples have unclipped ratios. */
export const rlPlus = (hybrid: boolean) =>
  tracedGrpo("rl-plus", (task, { clip }) => ({
    task: {
      ...task,
      next: (statistics) =>
        task.next(statistics).map((p) => ({ ...p, groupSize: p.groupSize - 1, teachers: 1 })),
    },
    look: (scored) => ({ proximal: scored.logProb }),
    loss: losses.aggregated(
      "constant",
      losses.policyGradient({
        clip,
        ratio(input) {
          const { logProb, advantage, columns } = input;
          const weight = hybrid
            ? mul(mixtureWeight(logProb, columns.proximal as Tensor), novelty(logProb))
            : exp(logProb);
          return where(columns.taught as Tensor, neg(mul(weight, advantage)), losses.unclipped(input));
        },
      }),
      tracesTask.longest.answer,
    ),
  }));
