import type { WordsOptions } from "@reins/recipes/words";

/** A task, and what its model does before anything is compared. */
export interface WordsTask extends Pick<WordsOptions, "levels" | "imitation"> {
  readonly family: string;
}

/** Something that is measured: a method on a task, with learning rates to choose from. */
export interface Contest {
  readonly task: WordsTask;
  readonly method: string;
  readonly options: { readonly [option: string]: unknown };
  /** Answer tokens that may be written, or imitated. */
  readonly tokens: number;
  readonly rates: readonly number[];
  readonly seeds: readonly number[];
}

/** The model: blocks, width, heads. */
export const model = { layers: 2, width: 48, heads: 4 };

/** The tasks, each imitated for as long as it takes to solve it in part. */
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

/** Answer tokens that reinforcement may write. */
export const reinforcement = 80_000;

/**
 * Longer imitation at equal compute. A text costs 6 operations a parameter and token to learn from, and 2 to write: reinforcement does both,
 * imitation only the first, so it gets 8 / 6 of the tokens.
 */
export const longer = Math.round((8 / 6) * reinforcement);

/** Seeds on which learning rates are chosen, and those that are reported. */
export const tuning = [0, 1];
export const evaluation = [100, 101, 102, 103, 104];

/** How each method makes and uses a batch of 512 texts: in four steps, so that they can differ. */
const groups = { groups: 32, plays: 16, epochs: 1, minibatches: 4, clipNorm: 1 };
const alone = { ...groups, groups: 512, plays: 1 };
const methods: { readonly [name: string]: Contest["options"] } = {
  sft: { batch: 128 },
  rejection: { groups: 32, plays: 16, minibatches: 4 },
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

/** Methods that have much in common, each with a page. */
export const methodGroups = [
  {
    file: "words-imitation",
    title: "Imitation: of a teacher, and of one's own successes",
    methods: ["sft", "rejection"],
  },
  {
    file: "words-groups",
    title: "Reinforcement with groups: several answers to a problem, compared with each other",
    methods: ["grpo", "dr-grpo", "dapo", "gspo", "cispo", "rloo"],
  },
  {
    file: "words-alone",
    title: "Reinforcement without groups: a batch, a greedy answer or a critic to compare with",
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

/** Imitation that goes on, and reinforcement, on every task. */
export const comparison: readonly Contest[] = wordsTasks.flatMap((task) => [
  contest(task, "grpo"),
  contest(task, "sft"),
]);

/** The task on which methods and choices are compared: one whose starts are alike, whatever the seed. */
export const common = wordsTasks[7];

/** Every method on one task. */
export const everyMethod: readonly Contest[] = Object.keys(methods).map((m) => contest(common, m));

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

/** GRPO with the choices of a cell. Two passes over each batch, so that clipping has something to hold. */
export const inCell = ({ baseline, clip, aggregation, filter }: Cell): Contest => ({
  task: common,
  method: "grpo",
  options: {
    groups: 32,
    plays: 8,
    epochs: 2,
    minibatches: 2,
    clipNorm: 1,
    baseline,
    scale: "none",
    hold: clip === "none" ? "none" : "clip",
    clipHigh: clip === "0.2 to 0.28" ? 0.28 : 0,
    aggregation,
    filter,
  },
  tokens: reinforcement / 2,
  rates: [4e-4],
  seeds: evaluation.slice(0, 3),
});
