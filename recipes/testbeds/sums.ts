import { grpo } from "@reins/algorithms";
import { textTask } from "@reins/language";
import { testbed } from "@reins/recipes";
import { languageArms } from "@reins/recipes/language";

const letters = "abcdefghijklmnopqrstuvwxyz";
const nameOf = (total: number) => letters[(total - 1) % letters.length];

/**
 * Digits from 1 to 3 added one after the other, each total written as a letter: three digits at level 1, one more at
 * each level. Only the last letter is judged. The reference answer errs at a fraction `slips` of its steps and
 * continues from there.
 */
const additions = (slips: number) =>
  textTask<{ last: string; terms: number }>({
    id: "sums",
    about: "Add digits one after the other.",
    levels: 8,
    alphabet: `${letters}123=`,
    longest: { prompt: 11, answer: 10 },
    make(random, level) {
      const digits = Array.from({ length: level + 2 }, () => 1 + random.integers(3));
      let total = 0;
      const steps = digits.map((digit) => {
        total += digit + (random.random() < slips ? 1 + random.integers(3) : 0);
        return nameOf(total);
      });
      const last = nameOf(digits.reduce((a, b) => a + b));
      return {
        prompt: `${digits.join("")}=`,
        answer: steps.join(""),
        data: { last, terms: digits.length },
      };
    },
    verify: ({ data }, answer) => ({
      score: Number(answer.length === data.terms && answer.endsWith(data.last)),
    }),
  });

/** Sums of mixed difficulty: the number of correct samples of a problem varies from none to all. */
export const sumsTask = additions(0);
/** Levels that are trained and evaluated. */
export const sumsLevels = [1, 2, 3, 4, 5, 6];

/** Arms on this testbed. Each has the same model of a seed, 192 training problems, and ends before it exceeds the budget. */
export const arm = languageArms({
  task: sumsTask,
  levels: sumsLevels,
  model: { layers: 1, width: 32, teacher: additions(0.2), imitation: 250_000 },
  prompts: 32,
  strict: true,
  options: { groups: 24, groupSize: 8, clipNorm: 1 },
  score: { problems: 100, looks: 4 },
  quick: { levels: [1], model: { imitation: 12_000 } },
});

const learningRate = [5e-4, 1e-3, 2e-3];
const epochs = [1, 2, 4];

/** Mixed-difficulty problems with verifiable answers, where a model learned to reason from an unreliable teacher. */
export const sums = testbed({
  id: "sums",
  title: "Sums of mixed difficulty",
  about:
    "A one-layer transformer adds three to eight digits, writing every partial sum. It imitated a teacher that errs in one step of five, so that few of its longer answers are correct. Reinforcement learning judges the last total only. It stands for verifiable mathematics of mixed difficulty.",
  baselines: [
    arm("GRPO", grpo, {}, { grid: { learningRate, epochs, groupSize: [4, 8] } }),
    arm(
      "dynamic sampling",
      grpo,
      { filter: "flat", clipHigh: 0.28 },
      { grid: { learningRate, epochs, groupSize: [4, 8] } },
    ),
  ],
  grid: { learningRate, epochs, groupSize: [4, 8] },
  rowGrid: { learningRate, epochs },
  metrics: {
    area: { about: "held-out accuracy over training", better: "higher", worst: 0, best: 1 },
    accuracy: { about: "held-out accuracy at the end", better: "higher", worst: 0, best: 1 },
    entropy: { about: "final token entropy, nats", better: "higher", worst: 0, best: 3.5 },
  },
  answers: 4 * 600,
  smallest: {
    area: { size: 0.02, because: "two points of accuracy over training pay for another method" },
    accuracy: { size: 0.02, because: "two points of accuracy pay for another method" },
    entropy: { size: 0.05, because: "a smaller change is not seen in samples" },
  },
  conditions: {
    flat: { about: "share of groups with equal rewards", of: (mean) => mean("flat") },
    room: { about: "accuracy that is left to gain", of: (mean) => 1 - mean("accuracy") },
    hard: {
      about: "share of wrong answers at the hardest level at the end",
      of: (mean) => 1 - mean("solved/6"),
    },
    mixed: {
      about: "accuracy at the easiest level minus that at the hardest",
      of: (mean) => mean("solved/1") - mean("solved/6"),
    },
    clipped: { about: "share of clipped tokens", of: (mean) => mean("policy/clipped") },
    entropy: { about: "final token entropy, nats", of: (mean) => mean("entropy") },
  },
  budget: { unit: "tokens", full: 60_000, quick: 2000 },
  deviations: [
    "A one-layer model that adds digits stands for models of 1.5 to 32 billion weights on competition mathematics.",
  ],
});

export default sums;
