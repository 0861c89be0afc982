import type { WordsOptions } from "@reins/recipes/words";

/** A task of the comparison, and what its model does before. */
export interface WordsTask extends Pick<WordsOptions, "levels" | "imitation"> {
  readonly family: string;
}

/** The tasks, after a little imitation: most are then solved in part, some not at all, one wholly. */
export const wordsTasks: readonly WordsTask[] = [
  { family: "arithmetic", levels: [1], imitation: 60_000 },
  { family: "sorting", levels: [2], imitation: 100_000 },
  { family: "reversal", levels: [2], imitation: 40_000 },
  { family: "roman", levels: [1], imitation: 60_000 },
  { family: "modular", levels: [1], imitation: 60_000 },
  { family: "bases", levels: [1], imitation: 60_000 },
  { family: "counting", levels: [1], imitation: 60_000 },
  { family: "countdown", levels: [1], imitation: 60_000 },
];

/** The model: blocks, width, heads. */
export const model = { layers: 2, width: 48, heads: 4 };

/** Tokens that reinforcement may write. */
export const reinforcement = 60_000;

/**
 * Longer imitation at equal compute. A text costs 6 operations a parameter and token to learn from, and 2 to write: reinforcement does both,
 * imitation only the first, so it gets 8 / 6 of the tokens.
 */
export const longer = (8 / 6) * reinforcement;

/** The two ways to go on, each with the learning rates that are tried on seeds below 100. */
export const arms = {
  grpo: { learningRates: [1.5e-4, 4e-4] },
  sft: { learningRates: [1e-3, 3e-3] },
} as const;

export type Arm = keyof typeof arms;

/** Seeds on which learning rates are chosen, and those that are reported. */
export const tuning = [0];
export const evaluation = [100, 101, 102, 103, 104];

/** Every method, on the task of the grid: how a batch of 512 texts is made and used. Four steps a batch, so that they can differ. */
const groups = { groups: 32, plays: 16, epochs: 1, minibatches: 4, clipNorm: 1 };
const alone = { ...groups, groups: 512, plays: 1 };
export const methods: { readonly [name: string]: { readonly [option: string]: unknown } } = {
  grpo: groups,
  "dr-grpo": groups,
  dapo: groups,
  gspo: groups,
  cispo: groups,
  rloo: groups,
  "reinforce++": alone,
  remax: alone,
  ppo: { envs: 512, epochs: 1, minibatches: 4, gamma: 1, lambda: 1, entropyWeight: 0, clipNorm: 1 },
  reinforce: { episodes: 128, gamma: 1, clipNorm: 1 },
  rejection: { groups: 32, plays: 16, minibatches: 4 },
  sft: { batch: 128 },
};

/** The seeds on which methods are compared. */
export const methodSeeds = evaluation.slice(0, 3);

/** Learning rates that are tried for a method. */
export const ratesOf = (method: string): readonly number[] =>
  method === "sft" || method === "rejection" ? [3e-4, 1e-3] : [1.5e-4, 4e-4];

/** The grid: every choice with every other, on one task. */
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

/** The task of the grid, its budget and its seeds. */
export const gridTask: WordsTask = wordsTasks[0];
export const gridTokens = 30_000;
export const gridSeeds = [100, 101];
