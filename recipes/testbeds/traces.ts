import { grpo } from "@reins/algorithms";
import type { TaskItem } from "@reins/core";
import { textTask } from "@reins/language";
import { testbed } from "@reins/recipes";
import { languageArms } from "@reins/recipes/language";
import { supervisedGrpo } from "../shared/traces.ts";
import { sumsTask } from "./sums.ts";

const first = "a".charCodeAt(0);
const letter = (total: number) => String.fromCharCode(first + ((total - 1) % 26));

/** Orders in which teachers add the digits. The reference adds from left to right; all end with the same letter. */
const orders: { readonly [teacher: string]: (digits: number[]) => number[] } = {
  left: (digits) => digits,
  right: (digits) => digits.reverse(),
  up: (digits) => digits.sort((a, b) => a - b),
  down: (digits) => digits.sort((a, b) => b - a),
};
/** Names of the teachers. A problem whose context has one as `lead` has the teacher's trace. */
export const teachers = Object.keys(orders);

/** The partial sums of a prompt's digits, added in a teacher's order. */
export function traceOf(prompt: string, teacher: string): string {
  let total = 0;
  const digits = orders[teacher]([...prompt.slice(0, -1)].map(Number));
  return digits.map((digit) => letter((total += digit))).join("");
}

/** Sums with their solutions. A solution errs at a fraction `slips` of its steps, and continues from there. */
const solutions = (slips: number) =>
  textTask<{ last: string; terms: number }>({
    ...sumsTask,
    id: "traces",
    make(random, level) {
      const problem = sumsTask.make(random, level);
      let off = 0;
      const steps = [...problem.answer].map((right) => {
        if (random.random() < slips) off += 1 + random.integers(3);
        return letter(right.charCodeAt(0) - first + 1 + off);
      });
      return { ...problem, answer: steps.join("") };
    },
    led: (problem, lead) => ({ ...problem, answer: traceOf(problem.prompt, lead) }),
  });

/** The sums of the testbed `sums`, up to ten digits. The reference solution of a training problem is its trace. */
export const tracesTask = solutions(0);
/** Levels that are trained and evaluated: five to ten digits. */
export const tracesLevels = [3, 4, 5, 6, 7, 8];
/** Number of letters of a problem's trace. */
export const termsOf = ({ context }: TaskItem): number => Number(context?.level) + 2;

const options = { groups: 24, groupSize: 8, clipNorm: 1 };

/** Arms on this testbed. Each has the same model of a seed, and 192 training problems with their traces. */
export const arm = languageArms({
  task: tracesTask,
  levels: tracesLevels,
  model: { layers: 1, width: 32, teacher: solutions(0.35), imitation: 250_000 },
  prompts: 32,
  strict: true,
  options,
  score: { problems: 100, looks: 4 },
  quick: { levels: [1], model: { imitation: 12_000 } },
});

/** GRPO with a supervised term, at a point of its grid. */
const supervised = ({ weight, ...o }: { weight: number; learningRate: number; epochs: number }) =>
  supervisedGrpo(weight).with("supervised-grpo", { options })(o);

const learningRate = [5e-4, 1e-3, 2e-3];
const epochs = [1, 2, 4];

/** Problems that a model hardly ever solves, with reference solutions to learn from. */
export const traces = testbed({
  id: "traces",
  title: "Hard sums with reference solutions",
  about:
    "A one-layer transformer adds five to ten digits, writing every partial sum. It imitated a teacher that errs in one step of three, so that most groups of samples have no success at the start. Every training problem has a reference solution, its trace. It stands for verifiable mathematics beyond a model's ability, with worked solutions.",
  baselines: [
    arm("GRPO", grpo, {}, { grid: { learningRate, epochs, groupSize: [4, 8] } }),
    arm(
      "GRPO with a supervised term",
      supervised,
      {},
      { grid: { learningRate, epochs, weight: [1, 4] }, identity: "supervised-grpo 1" },
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
    start: {
      about: "least share of problems without a success in a group of eight before training",
      // By convexity, the mean of (1 − p)⁸ over problems is at least this.
      of: (mean) => (1 - mean("before")) ** 8,
    },
    flat: { about: "share of groups with equal rewards over training", of: (mean) => mean("flat") },
    room: { about: "accuracy that is left to gain", of: (mean) => 1 - mean("accuracy") },
    hard: {
      about: "share of wrong answers at the hardest level at the end",
      of: (mean) => 1 - mean("solved/8"),
    },
  },
  budget: { unit: "tokens", full: 60_000, quick: 4000 },
  deviations: [
    "A one-layer model that adds digits stands for models of 0.6 to 32 billion weights on competition mathematics.",
    "The tokens of traces and hints count towards the budget as if they were generated; the papers compare equal numbers of updates.",
  ],
});

export default traces;
