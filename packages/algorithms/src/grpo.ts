import {
  actorCritic,
  against,
  type Context,
  choice,
  defaultRng,
  define,
  episodic,
  losses,
  type Policy,
  setting,
  size,
  type Task,
  targets,
} from "@reins/core";
import * as nn from "@reins/nn";
import { tensor, treeMap } from "@reins/tensor";
import { plays } from "./plays.ts";

const { clipped, divergence, entropy, minus, policyGradient, sum, weighted } = losses;

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
  options: {
    learningRate: setting(3e-3, "Size of a step. Higher learns faster until it diverges (1e-6 to 1e-2)."),
    clip: setting(
      0.2,
      "How far the policy may move in one batch. Higher moves further and less safely (0.1 to 0.3).",
    ),
    klWeight: setting(
      0,
      "Penalty for moving away from the first weights. Higher stays nearer to them (0 to 0.1).",
    ),
    entropyWeight: setting(
      0,
      "Reward for staying random. Higher explores more and settles later (0 to 0.05).",
    ),
    clipNorm: setting(0.5, "Longest gradient. Lower is steadier and slower (0.3 to 1)."),
    groups: size(4, "Problems in a batch. More makes gradients less noisy (1 to 1024)."),
    plays: size(8, "Plays of each problem. More judges each play better (4 to 64)."),
    epochs: size(4, "Passes over each batch. More learns more from it and moves further (1 to 10)."),
    minibatches: size(1, "Parts of each pass. More gives more, noisier steps (1 to 16)."),
    scale: choice<"std" | "none">(
      "std",
      ["std", "none"],
      "Whether advantages are divided by the group's deviation.",
    ),
    baseline: choice<"mean" | "others">(
      "mean",
      ["mean", "others"],
      "What a play is compared with: its whole group, or all of it but itself.",
    ),
    hidden: size<readonly number[]>([64, 64], "Widths of the hidden layers."),
    activation: size<nn.Activation>("tanh", "Activation of the hidden layers."),
    continuous: choice<"normal" | "tanh" | "beta">(
      "normal",
      ["normal", "tanh", "beta"],
      "Distribution of continuous actions.",
    ),
    logStd: size(0, "First logarithm of the spread of continuous actions. Lower explores less (-2 to 0)."),
  },
  start: (o, context) => {
    const { stage } = context;
    const policy: Policy = stage?.policy ?? (actorCritic(context.spec, { ...o, critic: false }) as Policy);
    const tied = o.klWeight.setting !== 0;
    const reference = { weights: undefined as never };
    const process = episodic(
      {
        name: "grpo",
        policy: tied ? against(policy, () => reference.weights) : policy,
        ...(stage
          ? { rollout: stage.play, judge: stage.judge }
          : { envs: plays(context, o.groups * o.plays) }),
        ...(context.task ? {} : { task: sameStarts(context, o.groups, o.plays) }),
        target: (batch, rewards) => {
          const advantages = targets.groupRelative(rewards, targets.groupsOf(batch), o);
          return { advantage: targets.spread(advantages, batch) };
        },
        loss: sum(
          policyGradient({ ratio: clipped(o.clip), clip: o.clip }),
          minus(o.entropyWeight, entropy()),
          ...(tied ? [weighted(o.klWeight, divergence("k3"))] : []),
        ),
        optimiser: nn.adam({ epsilon: 1e-5 }),
        learningRate: o.learningRate,
        clipNorm: o.clipNorm,
        epochs: o.epochs,
        minibatches: o.minibatches,
        normalise: "none",
      },
      context,
    );
    if (!tied) return process;
    reference.weights = treeMap(
      (t) => tensor(t.data.slice(), { shape: t.shape, dtype: t.dtype }),
      process.acting!.weights,
    ) as never;
    Object.assign(process.parts, { reference });
    return process;
  },
});

/** First states, drawn anew for each batch, each of them played several times. */
export function sameStarts(context: Context, groups: number, plays: number): Task {
  const random = defaultRng(context.seed);
  return {
    next: () =>
      Array.from({ length: groups }, () => ({ key: "start", seed: random.integers(2 ** 31), plays })),
    save: () => random.save(),
    restore: (from) => random.restore(from as Uint32Array),
  };
}
