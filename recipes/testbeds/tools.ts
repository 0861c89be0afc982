import { grpo, ppo } from "@reins/algorithms";
import type { TextTask } from "@reins/language";
import { testbed } from "@reins/recipes";
import { languageArms } from "@reins/recipes/language";
import { mostTurns, type ToolQuestionOptions, toolQuestions } from "../shared/tool-questions.ts";

const levels = [1, 2, 3, 4, 5];
const problems = 240;

/** The common setting. The teacher is the same whatever the task, and so is the model of a seed. */
const settingOf = (task: TextTask) => ({
  task,
  levels,
  model: {
    layers: 1,
    width: 32,
    teacher: toolQuestions({ id: "tools as taught", verified: 0.25 }),
    imitation: 100_000,
  },
  prompts: 48,
  strict: true,
  score: { problems, looks: 1 },
  quick: { model: { imitation: 30_000 }, levels: [1, 2] },
});

/** The questions of this testbed. */
export const toolsTask = toolQuestions({ id: "tools" });

/** Arms without a critic on this testbed, with another form of its conversations. Each has 240 training problems, and ends before it exceeds the budget. */
export const armIn = (form: Omit<ToolQuestionOptions, "id">) =>
  languageArms({
    ...settingOf(toolQuestions({ id: "tools", ...form })),
    options: { groups: 16, groupSize: 8, clipNorm: 1 },
  });

/** Arms with a critic, with another form of the conversations. */
export const criticArmIn = (form: Omit<ToolQuestionOptions, "id">) =>
  languageArms({
    ...settingOf(toolQuestions({ id: "tools", ...form })),
    options: { envs: 128, minibatches: 1, gamma: 1, clipNorm: 1 },
  });

/** Arms on this testbed. */
export const arm = armIn({});

const learningRate = [5e-4, 1e-3, 2e-3];
const epochs = [1, 2, 4];

/** Questions that need zero to three calls of two tools, which sometimes fail. */
export const tools = testbed({
  id: "tools",
  title: "Tables and hops with tools",
  about:
    "A one-layer transformer answers questions about two tables of twelve names, whose entries are drawn anew in each problem, with a lookup tool for each table. One question in five asks for an entry that never changes and can be memorised; the others need one, two or three calls in sequence. One call in seven fails, and the error is seen. A fifth of all entries is the same name, which a guess can exploit. The model imitated a teacher that looks up what it knows, guesses, takes the other table, stops halfway, and gives up after failed calls. It stands for agents that search, compute and call functions, trained with reinforcement learning on the final answer.",
  baselines: [
    arm("GRPO", grpo, {}, { grid: { learningRate, epochs, groupSize: [4, 8] } }),
    criticArmIn({})(
      "PPO",
      ppo,
      {},
      { identity: "ppo 1", grid: { learningRate, epochs, credit: ["token", "turn"] } },
    ),
  ],
  grid: { learningRate, epochs, groupSize: [4, 8] },
  rowGrid: { learningRate, epochs },
  metrics: {
    accuracy: { about: "held-out accuracy at the end", better: "higher", worst: 0, best: 1 },
    "term/calls": { about: "calls per question", better: "lower", worst: mostTurns, best: 0 },
    "term/needless": {
      about: "unneeded calls per question",
      better: "lower",
      worst: mostTurns,
      best: 0,
    },
    "term/unsupported": {
      about: "share of questions answered correctly without the needed calls",
      better: "lower",
      worst: 1,
      best: 0,
    },
  },
  answers: problems * levels.length,
  smallest: {
    accuracy: { size: 0.02, because: "two points of accuracy pay for another method" },
    "term/calls": { size: 0.15, because: "a tenth of the calls is seen on a bill" },
    "term/needless": { size: 0.1, because: "one needless call in ten questions is seen on a bill" },
    "term/unsupported": {
      size: 0.01,
      because: "one unsupported answer in a hundred is a third of what GRPO has",
    },
  },
  conditions: {
    room: { about: "accuracy that is left to gain", of: (mean) => 1 - mean("accuracy") },
    before: { about: "accuracy before reinforcement learning", of: (mean) => mean("before") },
    unneeded: {
      about: "share of calls that are not needed",
      of: (mean) => mean("term/needless") / mean("term/calls"),
    },
    flat: { about: "share of groups with equal rewards", of: (mean) => mean("flat") },
    failing: { about: "share of calls that fail", of: (mean) => mean("calls/failed") / mean("calls") },
    calls: { about: "calls per question", of: (mean) => mean("term/calls") },
    missing: { about: "needed calls per question that are not made", of: (mean) => mean("term/missing") },
    unsupported: {
      about: "share of correct answers without the needed calls",
      of: (mean) => mean("term/unsupported") / mean("accuracy"),
    },
    mixed: {
      about: "accuracy with one call minus that with three",
      of: (mean) => mean("solved/2") - mean("solved/5"),
    },
  },
  budget: { unit: "tokens", full: 20_000, quick: 2000 },
  deviations: [
    "A one-layer model that looks up entries of two tables stands for models of 3 to 32 billion weights that search the web or call functions; a call is one short turn without reasoning.",
  ],
});

export default tools;
