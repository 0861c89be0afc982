import {
  actorCritic,
  type Columns,
  type Context,
  define,
  type EpisodicParts,
  episodesIn,
  fail,
  type Scored,
  type Scoring,
} from "@reins/core";
import * as nn from "@reins/nn";
import type { Tensor } from "@reins/tensor";
import { stepAdvantages } from "./post-training/advantages.ts";
import { divergenceToCome } from "./post-training/divergence.ts";
import { lossOf } from "./post-training/loss.ts";
import { options, type Settings } from "./post-training/options.ts";
import { judgeOf, problemsOf, selectionOf } from "./post-training/problems.ts";
import { startGroups } from "./post-training/reference.ts";

/**
 * Group Relative Policy Optimization (Shao et al., 2024): play each problem several times, and make likelier what was done in the plays
 * that went better than the others. There is no critic. On an environment a problem is a first state: the plays of a group share its
 * seed. Every step counts the same, whatever its episode's length (Liu et al., 2025).
 */
export const grpo = define({
  name: "grpo",
  summary:
    "Clipped policy gradient with a group baseline: compares several completions of the same problem, without a critic.",
  paper:
    "DeepSeekMath: Pushing the Limits of Mathematical Reasoning in Open Language Models (Shao et al., 2024)",
  options,
  learnsFrom: "both",
  parts: (o, context, name): EpisodicParts => groupParts(name, o, context),
  begin: (parts, context, o) => {
    const tied = !o.klWeight.isOff();
    // In the loss it is measured in every update.
    const isMeasured = tied && o.klPlace === "loss";
    return startGroups(parts, { tied, every: context.place.stage && !isMeasured ? o.klEvery : 0 }, context);
  },
});

/** The parts of GRPO, for methods with options of their own; those with GRPO's replace one with `grpo.with`. */
export function groupParts(name: string, o: Settings, context: Context): EpisodicParts {
  const { spec } = context;
  const stage = episodesIn(context, () => ({
    policy: actorCritic(spec, { ...o, critic: false }),
    rows: o.groups * o.plays,
  }));
  const selection = selectionOf(o);
  return {
    name,
    policy: stage.policy,
    // Several plays of each problem, judged, and of those what is learned from.
    rollout: stage.play,
    ...(context.task ? {} : { task: problemsOf(o, context, stage) }),
    judge: judgeOf(o, stage.judge, stage.limit ?? spec.maxSteps ?? 1),
    ...(selection ? { selection } : {}),
    ...(o.teachers > 0 ? { from: ["policy", "teacher"] as const } : {}),
    // Âᵢ = (rᵢ - mean r) / std r, over the group, for every step of play i.
    target: (batch, rewards, judged) => ({
      advantage: stepAdvantages(o, batch, rewards, judged),
    }),
    ...look(name, o, stage.policy, spec.id),
    // min(ρ Â, clip(ρ, 1 - ε, 1 + ε) Â) - β KL(π, π₀)
    loss: lossOf(o, stage.limit),
    optimiser: nn.adam({ epsilon: 1e-5 }),
    learningRate: o.learningRate,
    clipNorm: o.clipNorm,
    epochs: o.epochs,
    minibatches: o.minibatches,
    accumulate: o.accumulate,
    normalise: "none",
  };
}

/** What is computed from the policy's view of a batch before the first pass: likelihoods to correct by, a divergence paid for in the reward. */
function look(name: string, o: Settings, policy: Scoring, id: string): Pick<EpisodicParts, "look"> {
  const inReward = !o.klWeight.isOff() && o.klPlace === "reward";
  const corrects = !o.correction.isOff();
  if (inReward && !policy.memory)
    fail(
      name,
      `on ${id} the divergence cannot be paid for in the reward: that needs a task in words. Set klPlace to loss.`,
    );
  if (!inReward && !corrects) return {};
  const paid = (scored: Scored, columns: Columns) =>
    (columns.advantage as Tensor).add(divergenceToCome(columns, scored, o.klWeight));
  return {
    look: (scored, columns) => ({
      ...(corrects ? { proximal: scored.logProb } : {}),
      ...(inReward ? { advantage: paid(scored, columns) } : {}),
    }),
  };
}
