import {
  type ActionScores,
  type AlgorithmContext,
  type Columns,
  define,
  fail,
  type ScoringPolicy,
} from "@reins/core";
import { type EpisodicParts, episodesIn, episodic } from "@reins/core/loops";
import { actorCritic } from "@reins/core/policies";
import * as nn from "@reins/nn";
import type { Tensor } from "@reins/tensor";
import { requireGroups, stepAdvantages } from "./post-training/advantages.ts";
import { divergenceToCome } from "./post-training/divergence.ts";
import { groupLoss } from "./post-training/loss.ts";
import { options, type Settings } from "./post-training/options.ts";
import { groupJudge, groupProblems, groupSelection } from "./post-training/problems.ts";

/**
 * Group Relative Policy Optimization (Shao et al., 2024): sample a group of completions per problem and reinforce
 * those above the group mean. There is no critic. On an environment a problem is an initial state: the episodes of
 * a group share its seed. Every step has the same weight, whatever its episode's length (Liu et al., 2025).
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
  begin: episodic,
});

/**
 * The parts of GRPO, for methods with their own options; methods with GRPO's options replace a part with
 * `grpo.with`.
 */
export function groupParts(name: string, o: Settings, context: AlgorithmContext): EpisodicParts {
  const { spec } = context;
  const stage = episodesIn(context, () => ({
    policy: actorCritic(spec, { ...o, critic: false }),
    rows: o.groups * o.groupSize,
  }));
  const selection = groupSelection(o);
  const penalised = !o.klWeight.isOff();
  // A KL penalty in the loss measures the divergence in every update.
  const isMeasured = penalised && o.klPlace === "loss";
  return {
    name,
    policy: stage.policy,
    // π₀ is the initial policy.
    reference: { penalised, klEvery: context.place.stage && !isMeasured ? o.klEvery : 0 },
    // A scored group of samples per problem, filtered for training.
    rollout: stage.play,
    ...(context.task ? {} : { task: groupProblems(o, context, stage) }),
    judge: groupJudge(o, stage.judge, stage.limit ?? spec.maxSteps ?? 1),
    ...(selection ? { selection } : {}),
    ...(o.teachers > 0 ? { from: ["policy", "teacher"] as const } : {}),
    // Âᵢ = (rᵢ - mean r) / std r, over the group, for every step of sample i.
    target: (batch, rewards, judged) => {
      requireGroups(name, o, batch);
      return { advantage: stepAdvantages(o, batch, rewards, judged) };
    },
    ...look(name, o, stage.policy, spec.id),
    // min(ρ Â, clip(ρ, 1 - ε, 1 + ε) Â) - β KL(π, π₀)
    loss: groupLoss(o, stage.limit),
    optimiser: nn.adam({ epsilon: 1e-5 }),
    learningRate: o.learningRate,
    clipNorm: o.clipNorm,
    epochs: o.epochs,
    minibatches: o.minibatches,
    accumulate: o.accumulate,
    normalise: "none",
  };
}

/**
 * Quantities computed from the policy before the first epoch: log-probabilities for the importance correction, and
 * a KL penalty in the reward.
 */
function look(name: string, o: Settings, policy: ScoringPolicy, id: string): Pick<EpisodicParts, "look"> {
  const inReward = !o.klWeight.isOff() && o.klPlace === "reward";
  const corrects = !o.correction.isOff();
  if (inReward && !policy.memory)
    fail(name, `klPlace "reward" needs a language task, and ${id} is not one. Set klPlace to "loss".`);
  if (!inReward && !corrects) return {};
  const penalisedAdvantage = (scored: ActionScores, columns: Columns) =>
    (columns.advantage as Tensor).add(divergenceToCome(columns, scored, o.klWeight));
  return {
    look: (scored, columns) => ({
      ...(corrects ? { proximal: scored.logProb } : {}),
      ...(inReward ? { advantage: penalisedAdvantage(scored, columns) } : {}),
    }),
  };
}
