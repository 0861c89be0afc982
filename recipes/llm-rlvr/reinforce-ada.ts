import { grpo } from "@reins/algorithms";
import { type Task, targets, tasks } from "@reins/core";
import { letters } from "@reins/language";
import { recipe } from "@reins/recipes";
import { wordsSides } from "@reins/recipes/words";

/** Three to six letters to be sorted, by a model that knows more than it says: right answers are rare at first, and more tries find them. */
const side = wordsSides({
  family: letters,
  levels: [2, 3, 4, 5],
  model: { layers: 1, width: 32, imitation: 120_000, unreliable: { tokens: 6000, wrong: 0.7 } },
  options: { groups: 16, plays: 4, epochs: 1, clipNorm: 1 },
  score: { problems: 250 },
  quick: { levels: [1], model: { imitation: 12_000 } },
});

/** Answers that are kept are compared with the mean of all that were written to the problem, and not divided by a deviation. */
const reinforceAda = grpo.with("reinforce-ada", {
  target: (batch, _, judged) => ({ advantage: targets.spread(targets.againstBaseline(judged), batch) }),
});
/** The paper's successive elimination: rounds of eight answers, four at most, until a problem has enough of both outcomes; four are kept. */
const adaptive = (enough: "balanced" | "positive") => (given: Task) => {
  const both = tasks.rounds(given, { plays: 8, most: 4, keep: 4, enough });
  return { task: both, selection: both };
};
const points = { metric: "area", smallest: 0.02, because: "fewer points do not pay for another sampler" };
const signal = { metric: "flat", least: 0.3, because: "without groups that agree no signal is lost" };

export default recipe({
  id: "reinforce-ada",
  paper: "Reinforce-Ada: An Adaptive Sampling Framework for Reinforce-Style LLM Training",
  source: "arXiv:2510.04996",
  about:
    "With a few answers to each problem, most groups agree and teach nothing, although more answers would show both outcomes. Reinforce-Ada answers in rounds: problems with enough right and wrong answers retire, the others are answered again. Of each a few answers are kept, half of them right, and compared with the mean of all. Claimed: faster learning and a higher end than GRPO, most with balanced groups.",
  system: side("Reinforce-Ada", reinforceAda, {}, { parts: adaptive("balanced") }),
  baselines: [
    side("GRPO, as many updates", grpo, {}, { budget: { full: 13_000, quick: 1000 } }),
    side("GRPO", grpo),
    side("GRPO, 18 answers", grpo, { plays: 18 }),
  ],
  ablations: [side("until one is right", reinforceAda, {}, { parts: adaptive("positive") })],
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
    "Letters sorted by a model of one layer stand for mathematics and models of 1.5 to 7 billion weights. It imitated a teacher, then for a short while one whose answers are mostly another problem's. An update is one gradient step on 16 problems, not four on 512.",
    "The paper compares equal updates, for which Reinforce-Ada writes between four and five times as much. Here it meets GRPO with 13,000 of its 60,000 tokens (as many updates), with all of them, and with 18 answers to a problem (as many updates and tokens). Each is tuned.",
    "Problems without both outcomes after the last round are left out; there they stay in the batch with advantages of 0.",
  ],
  tried: ["26 letters or digit sums: little was learned.", "One reliable teacher: at most 2 points gained."],
  finding: (f) =>
    `At equal tokens the gain is ${f.effect(1)}, at equal updates, for which it writes over four times as much, ${f.effect(0)}, and against GRPO with 18 answers, at equal updates and tokens, ${f.effect(2)}. Groups of one outcome are ${f.mean("Reinforce-Ada", "flat")} of all (GRPO ${f.mean("GRPO", "flat")}, with 18 answers ${f.mean("GRPO, 18 answers", "flat")}), for ${f.mean("Reinforce-Ada", "answers")} answers to a problem and ${f.mean("Reinforce-Ada", "updates")} updates (GRPO ${f.mean("GRPO", "updates")}, with 18 answers ${f.mean("GRPO, 18 answers", "updates")}). From ${f.mean("GRPO", "before")} accuracy ends at ${f.mean("Reinforce-Ada", "accuracy")} (GRPO ${f.mean("GRPO", "accuracy")}, with 18 answers ${f.mean("GRPO, 18 answers", "accuracy")}, stopping at one right answer ${f.mean("until one is right", "accuracy")}).`,
});
