import { choice, define, fail, type Stage, setting, size, type Task, type TaskItem } from "@reins/core";
import { type EpisodicParts, episodic } from "@reins/core/loops";
import * as losses from "@reins/core/losses";
import { defaultRng, stream } from "@reins/core/random";
import { valueOf } from "@reins/core/settings";
import * as tasks from "@reins/core/tasks";
import * as nn from "@reins/nn";
import { accumulate, textClipNorm } from "./options.ts";
import { withAnswerSteps } from "./post-training/answer-steps.ts";

/**
 * Generalised knowledge distillation (Agarwal et al., 2024): a student matches the next-token distributions of a
 * teacher, on its own completions or on reference answers. On its own completions it learns what to do after its own
 * mistakes, which reference answers never show.
 */
export const distill = define({
  name: "distill",
  summary:
    "Distillation: a student model matches a teacher's next-token distributions, on its own completions or on reference answers.",
  paper:
    "On-Policy Distillation of Language Models: Learning from Self-Generated Mistakes (Agarwal et al., 2024)",
  stability: "experimental",
  options: {
    learningRate: setting(1e-3, "Learning rate. Higher learns faster until it diverges (1e-6 to 3e-3).", {
      within: "nonnegative",
    }),
    clipNorm: textClipNorm,
    batch: size(64, "Completions per update. More makes gradients less noisy (8 to 512).", {
      within: "count",
    }),
    onPolicy: setting(
      1,
      "Share of completions that the student samples; the others are reference answers. Higher costs generation and trains on the student's own mistakes (0 to 1).",
      { within: "share" },
    ),
    divergence: choice(
      "reverse-kl",
      ["forward-kl", "reverse-kl", "js"],
      "Divergence from the teacher. The forward KL covers all that it might say, the reverse KL avoids what it would not say, js is between them.",
    ),
    mixture: setting(
      0.5,
      "For js: the teacher's share of the mixture with which both are compared. Near 0 the gradient is that of the forward KL, near 1 that of the reverse KL (0.1 to 0.9).",
      { within: "share" },
    ),
    temperature: setting(
      1,
      "Temperature of both distributions. Higher gives unlikely tokens more weight (0.5 to 4).",
      { within: "positive" },
    ),
    accumulate,
    weightDecay: size(0.01, "Weight decay. Higher stays closer to zero weights (0 to 0.1).", {
      within: "nonnegative",
    }),
  },
  learnsFrom: "episodes",
  parts(o, context, name): EpisodicParts {
    const stage =
      context.place.stage ?? fail(name, `${context.spec.id} is not a language task: it has no stage.`);
    const { divergence } = o;
    const mixture = o.mixture.value;
    if (divergence === "js" && (mixture === 0 || mixture === 1))
      fail(
        name,
        `mixture is ${mixture}, so the js divergence is 0 for any student. Set divergence to ${mixture ? "reverse-kl" : "forward-kl"}, or mixture to a number between 0 and 1.`,
      );
    const compared =
      stage.distillation?.({
        divergence,
        mixture: valueOf(o.mixture),
        temperature: valueOf(o.temperature),
      }) ??
      fail(
        name,
        "it needs a teacher. Pass its folder (--teacher ./teacher), or the option `teacher` of textStage.",
      );
    return {
      name,
      policy: compared,
      rollout: (input) => withAnswerSteps(stage.play(input)),
      judge: stage.judge,
      from: ["policy", "teacher"],
      ...(context.task
        ? {}
        : { task: problems(stage, stream(context.seed, "tasks"), o.batch, () => o.onPolicy.value) }),
      target: () => ({}),
      // D(p_teacher, π)
      loss: losses.distillation(),
      optimiser: nn.adamW({ beta2: 0.95, weightDecay: o.weightDecay }),
      learningRate: o.learningRate,
      clipNorm: o.clipNorm,
      epochs: 1,
      minibatches: 1,
      accumulate: o.accumulate,
      normalise: "none",
    };
  },
  begin: episodic,
});

/** Problems with one completion each: the student's with probability `share`, otherwise the reference answer. */
function problems(stage: Stage, seed: number, groups: number, share: () => number): Task {
  const random = defaultRng(stream(seed, "completions"));
  const answered = (item: TaskItem): TaskItem =>
    stage.samplingModes?.includes("teacher")
      ? { ...item, groupSize: 0, teachers: 1 }
      : fail("distill", "conversations have no reference answers. Set onPolicy to 1.");
  const inner = tasks.ofStage(stage, { seed, groups, groupSize: 1 });
  return {
    ...inner,
    next: (statistics) =>
      inner.next(statistics).map((item) => (random.random() < share() ? item : answered(item))),
    save: () => ({ inner: inner.save!(), random: random.save() }),
    restore(from) {
      const s = from as { inner: Parameters<NonNullable<Task["restore"]>>[0]; random: Uint32Array };
      inner.restore!(s.inner);
      random.restore(s.random);
    },
  };
}
