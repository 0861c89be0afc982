import { grpo } from "@reins/algorithms";
import type { Task } from "@reins/core";
import * as targets from "@reins/core/targets";
import * as tasks from "@reins/core/tasks";
import { letters } from "@reins/language";
import { recipe } from "@reins/recipes";
import { languageArms } from "@reins/recipes/language";

/** Sorting three to six letters: correct answers are rare at first, and more samples find them. */
const arm = languageArms({
  task: letters,
  levels: [2, 3, 4, 5],
  model: { layers: 1, width: 32, imitation: 120_000, unreliable: { tokens: 6000, wrong: 0.7 } },
  options: { groups: 16, groupSize: 4, epochs: 1, clipNorm: 1 },
  score: { problems: 250 },
  quick: { levels: [1], model: { imitation: 12_000 } },
});

/** Kept answers have the mean of all samples of the problem as baseline, without division by the standard deviation. */
const reinforceAda = grpo.with("reinforce-ada", {
  target: (batch, _, judged) => ({ advantage: targets.spread(targets.verdictBaseline(judged), batch) }),
});
/** Successive elimination: at most four rounds of eight answers, until a problem has enough of both outcomes; four are kept. */
const adaptive = (enough: "balanced" | "positive") => (given: Task) => {
  const both = tasks.rounds(given, { groupSize: 8, most: 4, keep: 4, enough });
  return { task: both, selection: both };
};
const points = { metric: "area", smallest: 0.02, because: "fewer points do not pay for another sampler" };
const signal = { metric: "flat", least: 0.3, because: "without groups that agree no signal is lost" };

export default recipe({
  id: "reinforce-ada",
  paper: "Reinforce-Ada: An Adaptive Sampling Framework for Reinforce-Style LLM Training",
  source: "arXiv:2510.04996",
  about:
    "With few samples per problem, most groups have equal rewards and give no gradient, although more samples would show both outcomes. Reinforce-Ada samples in rounds: problems with enough correct and wrong answers retire, the others are sampled again. A few answers of each are kept, half of them correct, with the mean of all as the baseline. Claimed: faster learning and a higher final accuracy than GRPO, most with balanced groups.",
  system: arm("Reinforce-Ada", reinforceAda, {}, { parts: adaptive("balanced") }),
  baselines: [
    arm("GRPO, as many updates", grpo, {}, { budget: { full: 13_000, quick: 1000 } }),
    arm("GRPO", grpo),
    arm("GRPO, 18 answers", grpo, { groupSize: 18 }),
  ],
  ablations: [arm("until one is right", reinforceAda, {}, { parts: adaptive("positive") })],
  metrics: { area: { about: "held-out accuracy over training", better: "higher", worst: 0, best: 1 } },
  claims: [
    { ...points, contrast: ["Reinforce-Ada", "GRPO, as many updates"], presupposes: signal },
    { ...points, contrast: ["Reinforce-Ada", "GRPO"] },
    { ...points, contrast: ["Reinforce-Ada", "GRPO, 18 answers"] },
  ],
  grid: { learningRate: [2.5e-4, 5e-4, 1e-3, 2e-3] },
  budget: { unit: "tokens", full: 60_000, quick: 2000 },
  minutes: 8,
  deviations: [
    "Sorting letters with a one-layer model replaces mathematics and models of 1.5 to 7 billion weights. It is fine-tuned on a teacher, then briefly on one whose answers mostly belong to another problem. An update is one gradient step on 16 problems, not four on 512.",
    "The paper compares equal updates, for which Reinforce-Ada generates between four and five times as many tokens. Here it meets GRPO with 13,000 of its 60,000 tokens (equal updates), with all of them, and with 18 answers per problem (equal updates and tokens). Each is tuned.",
    "Problems without both outcomes after the last round are left out; in the paper they stay in the batch with advantages of 0.",
  ],
  tried: ["26 letters or digit sums: little was learned.", "One reliable teacher: at most 2 points gained."],
  finding: (f) =>
    `At equal updates Reinforce-Ada is clearly better, as claimed; at equal tokens the result is reversed. It generates over four times as many tokens per update, so equal updates favour it. The gain at equal updates is ${f.effect(0)}, at equal tokens ${f.effect(1)}, and against GRPO with 18 answers, at equal updates and tokens, ${f.effect(2)}. Groups with a single outcome are ${f.mean("Reinforce-Ada", "flat")} of all (GRPO ${f.mean("GRPO", "flat")}, with 18 answers ${f.mean("GRPO, 18 answers", "flat")}), for ${f.mean("Reinforce-Ada", "answers")} answers per problem and ${f.mean("Reinforce-Ada", "updates")} updates (GRPO ${f.mean("GRPO", "updates")}, with 18 answers ${f.mean("GRPO, 18 answers", "updates")}). From ${f.mean("GRPO", "before")} accuracy ends at ${f.mean("Reinforce-Ada", "accuracy")} (GRPO ${f.mean("GRPO", "accuracy")}, with 18 answers ${f.mean("GRPO, 18 answers", "accuracy")}, stopping at one correct answer ${f.mean("until one is right", "accuracy")}).`,
});
