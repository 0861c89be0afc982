import { define, fail, type ScoringPolicy, size } from "@reins/core";
import { episodic, validated } from "@reins/core/loops";
import * as losses from "@reins/core/losses";
import { stream } from "@reins/core/random";
import * as tasks from "@reins/core/tasks";
import * as nn from "@reins/nn";
import { accumulate, imitationRate, patience, textClipNorm, validateEvery } from "./options.ts";

/** Supervised fine-tuning: raises the log-probability of a teacher's answers, token by token. Most reinforcement learning of language models starts from it. */
export const sft = define({
  name: "sft",
  summary:
    "Supervised fine-tuning: imitates a teacher's answers. Reinforcement learning of a language model usually starts from it.",
  options: {
    learningRate: imitationRate,
    clipNorm: textClipNorm,
    batch: size(64, "Minibatch size in examples. More makes gradients less noisy (8 to 512).", {
      within: "count",
    }),
    accumulate,
    packing: size(
      0,
      "Packs several examples into each row, up to this number of tokens, none of which sees another; 0: one example per row. The longest example or more saves the work that short examples spend on padding (0 to the context).",
      { within: "whole" },
    ),
    weightDecay: size(0.01, "Weight decay. Higher memorises less of the examples (0 to 0.1).", {
      within: "nonnegative",
    }),
    validation: size(
      64,
      "Held-out examples for validation of loss, accuracy and entropy; 0: none. More is less noisy and slower (32 to 512).",
      { within: "whole" },
    ),
    validateEvery,
    patience,
  },
  learnsFrom: "demonstrations",
  start(o, context) {
    const { stage } = context.place;
    const show = stage?.demonstrations;
    if (!stage || !show)
      return fail(
        "sft",
        `${context.spec.id} has no teacher to imitate. Use a language task, such as sorting.`,
      );
    const process = episodic(
      {
        name: "sft",
        policy: o.packing > 0 ? packable(stage.policy) : stage.policy,
        packing: o.packing,
        rollout: show,
        judge: stage.judge,
        ...(context.task
          ? {}
          : {
              task: tasks.ofStage(stage, {
                seed: stream(context.seed, "tasks"),
                groups: o.batch,
                groupSize: 1,
              }),
            }),
        target: () => ({}),
        from: "teacher",
        loss: losses.behaviourCloning(),
        optimiser: nn.adamW({ beta2: 0.95, weightDecay: o.weightDecay }),
        learningRate: o.learningRate,
        clipNorm: o.clipNorm,
        epochs: 1,
        minibatches: 1,
        accumulate: o.accumulate,
        normalise: "none",
      },
      context,
    );
    return stage.validation && o.validation > 0
      ? validated(
          process,
          stage.validation,
          { examples: o.validation, every: o.validateEvery, patience: o.patience },
          context,
        )
      : process;
  },
});

/** The policy for rows of several examples. */
const packable = (policy: ScoringPolicy): ScoringPolicy =>
  policy.packed ??
  fail(
    "sft",
    "packing is for language models without images, and without a repetition penalty. Set it to 0.",
  );
