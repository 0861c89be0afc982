import type { LanguageArmOptions } from "@reins/recipes/language";

/** A task, and the supervised fine-tuning before the comparison. */
export interface WordsTask extends Pick<LanguageArmOptions, "levels" | "imitation"> {
  /** The task's id; recorded results have this name for it. */
  readonly family: string;
}

/** A comparison: a method on a task, with learning rates to choose from. */
export interface Contest {
  readonly task: WordsTask;
  readonly method: string;
  readonly options: { readonly [option: string]: unknown };
  /** Budget of answer tokens, sampled or imitated. */
  readonly tokens: number;
  readonly rates: readonly number[];
  readonly seeds: readonly number[];
}

/** The model: blocks, width, heads. */
export const model = { layers: 2, width: 48, heads: 4 };

/** The tasks, each with enough imitation to solve it partly. */
export const wordsTasks: readonly WordsTask[] = [
  { family: "arithmetic", levels: [1], imitation: 50_000 },
  { family: "sorting", levels: [2], imitation: 50_000 },
  { family: "reversal", levels: [2], imitation: 60_000 },
  { family: "roman", levels: [1], imitation: 60_000 },
  { family: "modular", levels: [2], imitation: 60_000 },
  { family: "bases", levels: [1], imitation: 200_000 },
  { family: "counting", levels: [1], imitation: 60_000 },
  { family: "countdown", levels: [1], imitation: 60_000 },
];

/** Budget of sampled answer tokens for reinforcement. */
export const reinforcement = 80_000;

/**
 * Longer imitation at equal compute. Training costs 6 operations per parameter and token, sampling 2: reinforcement does both,
 * imitation only the first, so it gets 8 / 6 of the tokens.
 */
export const longer = Math.round((8 / 6) * reinforcement);

/** Seeds for choosing learning rates, and seeds that are reported. */
export const tuning = [0, 1];
export const evaluation = [100, 101, 102, 103, 104];

/** The batch settings of each method: 512 texts in four optimiser steps. */
const groups = { groups: 32, groupSize: 16, epochs: 1, minibatches: 4, clipNorm: 1 };
const alone = { ...groups, groups: 512, groupSize: 1 };
const methods: { readonly [name: string]: Contest["options"] } = {
  sft: { batch: 128 },
  rejection: { groups: 32, groupSize: 16, minibatches: 4 },
  grpo: groups,
  "dr-grpo": groups,
  dapo: groups,
  gspo: groups,
  cispo: groups,
  rloo: groups,
  "reinforce++": alone,
  remax: alone,
  reinforce: { episodes: 128, gamma: 1, clipNorm: 1 },
  ppo: { envs: 512, epochs: 1, minibatches: 4, gamma: 1, lambda: 1, entropyWeight: 0, clipNorm: 1 },
};

/** Groups of methods, each with a page. */
export const methodGroups = [
  {
    file: "words-imitation",
    title: "Imitation: SFT and rejection sampling",
    methods: ["sft", "rejection"],
  },
  {
    file: "words-groups",
    title: "Reinforcement learning with groups: a baseline from several completions per prompt",
    methods: ["grpo", "dr-grpo", "dapo", "gspo", "cispo", "rloo"],
  },
  {
    file: "words-alone",
    title: "Reinforcement learning without groups: a batch mean, a greedy completion or a critic as baseline",
    methods: ["reinforce++", "remax", "reinforce", "ppo"],
  },
] as const;

const imitates = (method: string) => method === "sft" || method === "rejection";

/** A method on a task. */
const contest = (task: WordsTask, method: string): Contest => ({
  task,
  method,
  options: methods[method],
  tokens: method === "sft" ? longer : reinforcement,
  rates: imitates(method) ? [3e-4, 1e-3] : [1.5e-4, 4e-4],
  seeds: evaluation,
});

/** Longer imitation and reinforcement on every task. */
export const comparison: readonly Contest[] = wordsTasks.flatMap((task) => [
  contest(task, "grpo"),
  contest(task, "sft"),
]);

/** The task for methods and choices: its initial models have similar accuracy for all seeds. */
export const common = wordsTasks[7];

/** Every method on one task. */
export const everyMethod: readonly Contest[] = Object.keys(methods).map((m) => contest(common, m));

/** The grid of all choices on one task. */
export const grid = {
  baseline: ["mean", "none"],
  clip: ["0.2", "0.2 to 0.28", "none"],
  aggregation: ["token", "text", "constant"],
  filter: ["none", "flat"],
} as const;

export type Cell = { readonly [K in keyof typeof grid]: (typeof grid)[K][number] };

/** All cells of the grid. */
export const cells: readonly Cell[] = grid.baseline.flatMap((baseline) =>
  grid.clip.flatMap((clip) =>
    grid.aggregation.flatMap((aggregation) =>
      grid.filter.map((filter) => ({ baseline, clip, aggregation, filter })),
    ),
  ),
);

/** GRPO with the choices of a cell, with two epochs per batch so that clipping has an effect. */
export const inCell = ({ baseline, clip, aggregation, filter }: Cell): Contest => ({
  task: common,
  method: "grpo",
  options: {
    groups: 32,
    groupSize: 8,
    epochs: 2,
    minibatches: 2,
    clipNorm: 1,
    baseline,
    scale: "none",
    ratioBound: clip === "none" ? "none" : "clip",
    clipHigh: clip === "0.2 to 0.28" ? 0.28 : 0,
    aggregation,
    filter,
  },
  tokens: reinforcement / 2,
  rates: [4e-4],
  seeds: evaluation.slice(0, 3),
});
