import { grpo } from "@reins/algorithms";
import { textTask } from "@reins/language";
import { testbed } from "@reins/recipes";
import { languageArms } from "@reins/recipes/language";

const letters = "abcdefghij";
/** The end of a trace, before the answer. */
const mark = "#";
/** The longest answer, in tokens. */
export const longest = 14;
/** Token budgets that a prompt can announce, as 1 to 4 in its first place. */
export const budgets = [3, 6, 9, 12] as const;
/** Generated tokens of a run. */
export const tokens = 60_000;
/** Price of a token, in accuracy. */
export const price = 0.01;
/** Whether an answer has no trace. */
export const isDirect = (answer: string): boolean => answer.startsWith(mark);

/** How a teacher reasons. */
interface Teacher {
  /** Shares of answers without a trace, and with a trace that stops early. */
  readonly direct: number;
  readonly early: number;
  /** Most repetitions of the last partial sum. */
  readonly checks: number;
  /** Share of prompts that announce the smallest sufficient budget. */
  readonly announced: number;
}

/** Digits from 0 to 2 added modulo 10, three at level 1 and one more at each level. A trace has a letter for each partial sum. Only the letter after the mark is judged. */
const additions = ({ direct, early, checks, announced }: Teacher) =>
  textTask<{ last: string; terms: number }>({
    id: "reasoned-sums",
    about: "Add digits, with or without partial sums before the answer.",
    levels: 6,
    alphabet: `${letters}01234.=${mark}`,
    longest: { prompt: 10, answer: longest - 1 },
    make(random, level) {
      const digits = Array.from({ length: level + 2 }, () => random.integers(3));
      let total = 0;
      const sums = digits.map((digit) => letters[(total += digit) % letters.length]);
      const last = sums[sums.length - 1];
      const kind = random.random();
      const isShort = kind < direct + early;
      const shown = kind < direct ? 0 : isShort ? random.integers(sums.length + 1) : sums.length;
      const checked = isShort ? 0 : random.integers(checks + 1);
      const answer = `${sums.slice(0, shown).join("")}${last.repeat(checked)}${mark}${last}`;
      const budget = budgets.findIndex((b) => answer.length < b);
      const isAnnounced = random.random() < announced && budget >= 0;
      return {
        prompt: `${isAnnounced ? budget + 1 : "."}${digits.join("").padEnd(8, ".")}=`,
        key: digits.join(""),
        answer,
        data: { last, terms: digits.length },
      };
    },
    led: (problem, lead) => ({ ...problem, prompt: `${lead}${problem.prompt.slice(1)}` }),
    verify({ data }, answer) {
      const at = answer.indexOf(mark);
      const length = answer.length + 1;
      const score = Number(at >= 0 && answer.slice(at + 1) === data.last);
      return {
        score,
        terms: {
          net: score - price * length,
          direct: Number(at === 0),
          repeated: Math.max(0, at - data.terms),
          squared: length ** 2,
        },
      };
    },
  });

/** Problems with short and long reasoning. */
export const lengthsTask = additions({ direct: 0, early: 0, checks: 0, announced: 0 });
/** Levels that are trained and evaluated. */
export const lengthsLevels = [1, 2, 3, 4, 5, 6];

/** Arms on this testbed. Each has the same model of a seed, 192 training problems, and ends before it exceeds the budget. */
export const arm = languageArms({
  task: lengthsTask,
  levels: lengthsLevels,
  model: {
    layers: 1,
    width: 32,
    teacher: additions({ direct: 0.2, early: 0.2, checks: 3, announced: 0.5 }),
    imitation: 250_000,
  },
  prompts: 32,
  strict: true,
  options: { groups: 24, groupSize: 8, epochs: 2, clipNorm: 1 },
  score: { problems: 400, looks: 1 },
  quick: { levels: [1], model: { imitation: 12_000 } },
});

const learningRate = [5e-4, 1e-3, 2e-3];
const epochs = [1, 2, 4];

/** Sums that a model has learned to answer with needlessly long reasoning. */
export const lengths = testbed({
  id: "lengths",
  title: "Short and long reasoning",
  about:
    "A one-layer transformer adds three to eight digits modulo 10. Its teacher usually writes every partial sum, repeats the last one up to three times, and then answers; one time in five it answers at once, and one time in five it stops early. Short sums can be answered at once; of long ones fewer are then correct. The price of a token in the first metric is one point of accuracy, so that half of a trained model's nine tokens pay for four to five points: the papers lose about two points for half of the tokens. It stands for language models that reason at length about every problem, however easy.",
  baselines: [
    arm("GRPO", grpo, {}, { grid: { learningRate, epochs, groupSize: [4, 8] } }),
    arm(
      "length penalty",
      grpo,
      {},
      { grid: { learningRate, lengthWeight: [0.07, 0.14, 0.28], scale: ["std", "none"] } },
    ),
  ],
  grid: { learningRate, epochs, groupSize: [4, 8] },
  rowGrid: { learningRate, epochs },
  metrics: {
    "term/net": {
      about: "held-out accuracy at the end minus 0.01 per token",
      better: "higher",
      worst: -price * longest,
      best: 1 - 3 * price,
    },
    accuracy: { about: "held-out accuracy at the end", better: "higher", worst: 0, best: 1 },
    tokens: { about: "tokens of an answer", better: "lower", worst: longest, best: 3 },
  },
  answers: 400 * lengthsLevels.length,
  smallest: {
    "term/net": { size: 0.02, because: "two points of accuracy, or two tokens, pay for another method" },
    accuracy: { size: 0.02, because: "two points of accuracy pay for another method" },
    tokens: { size: 1, because: "one token of nine is a tenth of the cost" },
  },
  conditions: {
    needless: {
      about: "share of tokens at the easiest level beyond the three of a direct answer",
      of: (mean) => 1 - 3 / mean("tokens/1"),
    },
    room: { about: "accuracy that is left to gain", of: (mean) => 1 - mean("accuracy") },
    graded: {
      about: "tokens at the hardest level minus those at the easiest",
      of: (mean) => mean("tokens/6") - mean("tokens/1"),
    },
    mixed: {
      about: "accuracy at the easiest level minus that at the hardest",
      of: (mean) => mean("solved/1") - mean("solved/6"),
    },
    flat: { about: "share of groups with equal rewards", of: (mean) => mean("flat") },
    spread: {
      about: "standard deviation of the number of tokens",
      of: (mean) => Math.sqrt(mean("term/squared") - mean("tokens") ** 2),
    },
  },
  budget: { unit: "tokens", full: tokens, quick: 6000 },
  deviations: [
    "A one-layer model that adds digits stands for reasoning models of 1.5 to 32 billion weights on competition mathematics.",
  ],
});

export default lengths;
