import { ppo } from "@reins/algorithms";
import { defaultRng, stream } from "@reins/core/random";
import * as signals from "@reins/core/signals";
import { source } from "@reins/envs";
import { learn, recipe, type Trial } from "@reins/recipes";
import { real } from "@reins/tensor";

type Memory = Parameters<typeof ppo>[0];

const env = source("RepeatCopy-v0", { symbols: 4, length: 4, repeats: 1 });
/** The range of each replicate's learning rate, sampled log-uniformly. */
const [slowest, fastest] = [1e-3, 3e-2];

const shared = { envs: 16, steps: 32, gamma: 0.98, hidden: [16] } as const;

/** PPO with a memory, at a random learning rate that is the same for all arms. */
const arm = (name: string, memory: Memory) => ({
  name,
  run({ seed, budget: steps }: Trial) {
    const drawn = defaultRng(stream(seed, "learning rate")).random();
    const rate = slowest * real.pow(fastest / slowest, drawn);
    const algorithm = ppo({ ...shared, ...memory, learningRate: signals.linear(rate, 0) });
    const { values, early, used } = learn({ algorithm, env, steps, seed });
    const { training, last } = values;
    const fast = rate > Math.sqrt(slowest * fastest) ? "fast" : "slow";
    return { values: { training, last, rate, failed: last < 0.5 ? 1 : 0, [fast]: training }, early, used };
  },
});

/** Three blocks with a window of 16 steps. Widths give every memory about 20,000 weights. */
const transformer = (memoryJoin: "gates" | "pre-norm" | "post-norm", units: number) =>
  ({ memory: "transformer", memoryJoin, units, memoryLayers: 3, memoryHeads: 2, memorySteps: 16 }) as const;

const because = "one symbol in twenty, over all of training";

export default recipe({
  id: "gtrxl",
  paper: "Stabilizing Transformers for Reinforcement Learning",
  source: "arXiv:1910.06764",
  about:
    "A transformer as a policy's memory is hard to train with RL. GTrXL normalises the input of each half of a block instead of the output of the residual sum, and replaces the sums by GRU-like gates that begin near the identity. Claimed: far more stable over seeds and settings than the canonical transformer, better than moving the normalisation alone (TrXL-I), and better than an LSTM where memory matters.",
  system: arm("GTrXL", transformer("gates", 16)),
  baselines: [
    arm("TrXL", transformer("post-norm", 24)),
    arm("TrXL-I", transformer("pre-norm", 24)),
    arm("LSTM", { memory: "lstm", units: 62 }),
  ],
  metrics: {
    training: { about: "share of symbols repeated, mean over training", better: "higher", worst: 0, best: 1 },
    failed: { about: "share of runs that end below twice chance", better: "lower", worst: 1, best: 0 },
  },
  claims: [
    {
      metric: "training",
      contrast: ["GTrXL", "TrXL"],
      smallest: 0.05,
      because,
      paper: "the canonical transformer does not come off random performance",
    },
    { metric: "training", contrast: ["GTrXL", "TrXL-I"], smallest: 0.05, because },
    {
      metric: "training",
      contrast: ["GTrXL", "LSTM"],
      smallest: 0.05,
      because,
      paper: "surpasses LSTMs on challenging memory environments",
    },
    {
      metric: "failed",
      contrast: ["GTrXL", "TrXL"],
      smallest: 0.1,
      because: "one learning rate in ten that need not be avoided",
      interval: "exact",
      paper: "none of 25 settings diverged",
    },
  ],
  replicates: "learning rate",
  budget: { unit: "steps", full: 20_480, quick: 1024 },
  minutes: 3,
  deviations: [
    "Repeating four of four symbols, three layers, 20,000 weights and PPO replace DMLab-30 and Numpad, twelve layers and V-MPO. Positions are rotary, and normalisation follows Llama.",
    "No arm is tuned: each replicate draws one learning rate for all arms, from 1e-3 to 3e-2. That is the paper's test of sensitivity, not a test at the best learning rate.",
    "Widths differ (16 with gates, 24 without, 62 units for the LSTM) so that memories have 19,600 to 21,300 weights; the paper also has such a comparison at equal size.",
  ],
  tried: [
    "Three symbols of three, one layer of 32 units, 3e-3, two seeds: all transformers end at 1, GRU and LSTM at 0.9.",
    "Single learning rates for 24,000 steps, two seeds: GTrXL 0.65 at 1e-3, 0.77 at 3e-3, 0.84 at 1e-2; TrXL 0.70, 0.80, 0.26; TrXL-I 0.73, 0.81, 0.79; LSTM 0.37, 0.48, 0.56. At 3e-2, one seed, 20,000 steps: GTrXL 0.70, TrXL-I 0.30, LSTM 0.58.",
  ],
  finding: (f) =>
    `GTrXL is more robust to the learning rate than the canonical transformer and learns more than an LSTM, as claimed. The placement of the normalisation explains the gain, not the gates: TrXL-I without gates reaches ${f.mean("TrXL-I", "training")}, GTrXL ${f.mean("GTrXL", "training")} (${f.effect(1)}), and ${f.mean("TrXL-I", "failed")} and ${f.mean("GTrXL", "failed")} of their runs fail. The canonical transformer is not behind in the slower half of the learning rates, ${f.mean("TrXL", "slow")} against ${f.mean("GTrXL", "slow")}; in the faster half it has ${f.mean("TrXL", "fast")} against ${f.mean("GTrXL", "fast")}, and ${f.mean("TrXL", "failed")} of all its runs fail: over all learning rates ${f.effect(0)}. The LSTM learns more slowly at every learning rate and was still improving (${f.mean("LSTM", "last")} at the end, GTrXL ${f.mean("GTrXL", "last")}).`,
});
