import { learnerNames, type Tuned } from "@reins/algorithms";

/** Steps and batch sizes for a language task. Steps are tokens, with those of the supervised phase. */
interface Scale {
  readonly steps: number;
  readonly rate: number;
  /** Settings for imitation only. */
  readonly imitation: { readonly steps: number; readonly rate: number };
  /** Problems per batch, group size, and demonstrations per batch. */
  readonly groups: number;
  readonly groupSize: number;
  readonly batch: number;
  /** Learning rate of preference optimisation as a multiple of `rate`. */
  readonly comparison: number;
  /** Learning rate of reward models. */
  readonly scoring: number;
}

/** Settings for tiny models from scratch on most tasks. */
const tiny: Scale = {
  steps: 2_800_000,
  rate: 1.5e-4,
  imitation: { steps: 2_000_000, rate: 3e-3 },
  groups: 32,
  groupSize: 16,
  batch: 256,
  comparison: 1,
  scoring: 1e-3,
};
/** Pretrained models need lower learning rates, adapters higher ones than full weights. */
const trained: Scale = {
  steps: 200_000,
  rate: 1e-5,
  imitation: { steps: 200_000, rate: 1e-5 },
  groups: 8,
  groupSize: 8,
  batch: 16,
  comparison: 0.1,
  scoring: 1e-5,
};
const adapters: Scale = { ...trained, rate: 1e-4, scoring: 1e-4, imitation: { steps: 200_000, rate: 2e-4 } };

function table(s: Scale): { readonly [algorithm: string]: Tuned } {
  const { steps, rate: learningRate, imitation } = s;
  const texts = s.groups * s.groupSize;
  const common = { learningRate, epochs: 1, clipNorm: 1 };
  const groups = { steps, options: { ...common, groups: s.groups, groupSize: s.groupSize } };
  const alone = { steps, options: { ...common, groups: texts, groupSize: 1 } };
  const critic = { gamma: 1, lambda: 1, entropyWeight: 0, normalise: "batch" };
  return {
    grpo: groups,
    "dr-grpo": groups,
    dapo: groups,
    gspo: groups,
    cispo: groups,
    rloo: groups,
    "reinforce++": alone,
    remax: alone,
    ppo: { steps, options: { ...common, ...critic, envs: texts, minibatches: 1 } },
    reinforce: { steps, options: { learningRate, episodes: texts, gamma: 1, clipNorm: 1 } },
    rejection: {
      steps,
      options: { learningRate: 2 * learningRate, groups: s.groups, groupSize: s.groupSize },
    },
    distill: { steps, options: { learningRate: imitation.rate, batch: s.batch } },
    ...Object.fromEntries(
      learnerNames("comparisons").map((name) => [
        name,
        { steps, options: { learningRate: learningRate * s.comparison, batch: Math.min(32, s.batch) } },
      ]),
    ),
    ...Object.fromEntries(
      ["reward", "process-reward"].map((name) => [
        name,
        { steps, options: { learningRate: s.scoring, batch: Math.min(32, s.batch) } },
      ]),
    ),
    sft: { steps: imitation.steps, options: { learningRate: imitation.rate, batch: s.batch } },
  };
}

const tables = { tiny: table(tiny), trained: table(trained), adapters: table(adapters) };

/** Settings for an algorithm, by what is trained: a tiny model, a pretrained one, or adapters. */
export const textSettings = (algorithm: string, learner: keyof typeof tables): Tuned | undefined =>
  tables[learner][algorithm];

/** Settings whose batch is at most one epoch: an update uses no example twice. */
export const withinEpoch = (options: Tuned["options"], examples: number): Tuned["options"] =>
  typeof options.batch === "number"
    ? { ...options, batch: Math.max(1, Math.min(options.batch, examples)) }
    : options;
