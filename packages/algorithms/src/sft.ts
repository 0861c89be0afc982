import { define, episodic, fail, losses, setting, size, stream, tasks } from "@reins/core";
import * as nn from "@reins/nn";
import { accumulate } from "./options.ts";

/** Supervised fine-tuning: a teacher's answers are made likelier, token by token. What most reinforcement of language models begins with. */
export const sft = define({
  name: "sft",
  summary: "Imitates a teacher's episodes: what reinforcement of a language model begins with.",
  options: {
    learningRate: setting(1e-3, "Size of a step. Higher learns faster until it diverges (1e-5 to 3e-3).", {
      within: "nonnegative",
    }),
    clipNorm: setting(1, "Longest gradient. Lower is steadier and slower (0.5 to 2).", {
      within: "positive",
    }),
    batch: size(64, "Examples in a batch. More makes gradients less noisy (8 to 512).", { within: "count" }),
    accumulate,
    weightDecay: size(0.01, "How fast weights shrink. Higher remembers less by heart (0 to 0.1).", {
      within: "nonnegative",
    }),
  },
  learnsFrom: "episodes",
  start(o, context) {
    const { stage } = context.place;
    const show = stage?.show;
    if (!stage || !show)
      return fail(
        "sft",
        `${context.spec.id} has no teacher whose episodes could be imitated. Use a task in words.`,
      );
    return episodic(
      {
        name: "sft",
        policy: stage.policy,
        rollout: show,
        judge: stage.judge,
        ...(context.task
          ? {}
          : {
              task: tasks.ofStage(stage, { seed: stream(context.seed, "tasks"), groups: o.batch, plays: 1 }),
            }),
        target: () => ({}),
        from: "teacher",
        loss: losses.cloning(),
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
  },
});
