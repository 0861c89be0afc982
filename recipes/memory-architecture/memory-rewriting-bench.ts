import { ppo } from "@reins/algorithms";
import { evaluate } from "@reins/core/evaluations";
import * as signals from "@reins/core/signals";
import { source } from "@reins/envs";
import { learnArm, recipe, recordedMean, type Settings } from "@reins/recipes";

const maze = (corridors: number) => source("EndlessTMaze-v0", { corridors, length: 20 });
const [alone, trained, many] = [maze(1), maze(6), maze(24)];

const shared = { envs: 16, steps: 64, gamma: 0.97, hidden: [16] };
const grid = { learningRate: [1e-2, 2e-2, 4e-2] } as const;

/** PPO with a memory of 6,300 to 6,800 weights, evaluated with sampled actions in six corridors as in training, in one and in many. */
const arm = (name: string, memory: Parameters<typeof ppo>[0]) =>
  learnArm({
    name,
    env: trained,
    algorithm: ({ learningRate }: Settings<typeof grid>) =>
      ppo({ ...shared, ...memory, learningRate: signals.linear(learningRate, 0) }),
    measure(run, { seed }) {
      const share = (place: typeof alone) => recordedMean(evaluate(run, place, { seed, greedy: false }));
      return { rewriting: share(trained), retention: share(alone), longer: share(many) };
    },
  });

const turns = { better: "higher", worst: 0, best: 1 } as const;
const because = "a wrong turn more in every fourth episode of six turns";
const ahead = (metric: string, of: string) =>
  ({ metric, contrast: ["LSTM", of], smallest: 0.04, because }) as const;

export default recipe({
  id: "memory-rewriting-bench",
  paper: "Memory Retention Is Not Enough to Master Memory Tasks in Reinforcement Learning",
  source: "arXiv:2601.15086",
  about:
    "A sequence of T-mazes: each has a sign that invalidates the previous ones, so the memory must be overwritten, not only retained. The same learner has an LSTM, a structured memory with fading traces (fast and forgetful memory, FFM) or a gated transformer. Claimed: the LSTM overwrites best and generalises to more corridors than in training, structured memories do so under narrow conditions only, and transformers hardly get beyond retaining one sign.",
  system: arm("LSTM", { memory: "lstm", units: 32 }),
  baselines: [
    arm("GTrXL", { memory: "transformer", units: 16, memorySteps: 24, memoryHeads: 2 }),
    arm("FFM", { memory: "ffm", units: 24 }),
  ],
  ablations: [arm("GRU", { memory: "gru", units: 38 }), arm("none", { memory: "none" })],
  metrics: {
    rewriting: { about: "share of correct turns, six corridors", ...turns },
    retention: { about: "share of correct turns, one corridor", ...turns },
    longer: { about: "share of correct turns, 24 corridors", ...turns },
  },
  claims: [
    { ...ahead("rewriting", "GTrXL"), paper: "transformers often fail beyond trivial retention" },
    {
      kind: "interaction",
      metric: ["rewriting", "retention"],
      contrast: ["LSTM", "GTrXL"],
      smallest: 0.04,
      because: "a gap in keeping would explain one in rewriting",
      presupposes: {
        metric: "retention",
        least: 0.8,
        because: "it must keep one sign to be told from one that learns nothing",
      },
    },
    { ...ahead("rewriting", "FFM"), paper: "structured memories succeed only under narrow conditions" },
    ahead("longer", "GTrXL"),
    ahead("longer", "FFM"),
  ],
  grid,
  budget: { unit: "steps", full: 40_960, quick: 2048 },
  minutes: 2,
  deviations: [
    "Corridors of 1 to 20 steps, six in training, 40,000 steps and one layer of memory replace training to convergence in longer ones; only the paper's mazes, not its cubes, and one of its structured memories.",
    "A wrong turn has reward 0 and leads on, where the paper's has -1. Retention is measured in one corridor with the agent that was trained in six.",
    "The transformer has a window of 24 steps, so the newest sign is always in view, and several older ones are too.",
  ],
  tried: [
    "Corridors of at most 4 steps, four of them, 24,000 steps, 3e-3, one seed: all three memories reach 1.00.",
    "Of at most 12 steps, 30,000 steps, one seed: LSTM 0.63 with 3e-3 and 1.00 with 1e-2, FFM 0.97 and 1.00, GTrXL 0.88 and 0.93.",
    "As measured but greedy, two seeds: LSTM 0.67 with 1e-2, 1.00 with 2e-2; FFM 0.81 and 0.95; GTrXL 0.85 and 0.84. With 5e-3 most runs do not learn to move.",
  ],
  finding: (f) =>
    `The LSTM overwrites its memory better than the transformer and FFM, as claimed. About half of the transformer's deficit is retention, not rewriting: in one corridor it reaches ${f.mean("GTrXL", "retention")}, the LSTM ${f.mean("LSTM", "retention")}, so that of the gap in six corridors (${f.effect(0)}) ${f.effect(1)} remains. FFM is behind with a single sign already (${f.mean("FFM", "retention")} in one corridor, ${f.mean("FFM", "rewriting")} in six): in 40,000 steps many of its runs learn nothing, which is a matter of learning speed, not of forgetting. More corridors than in training cost little: LSTM ${f.mean("LSTM", "longer")}, GTrXL ${f.mean("GTrXL", "longer")}, FFM ${f.mean("FFM", "longer")} in 24. A GRU with the LSTM's learning rate reaches ${f.mean("GRU", "rewriting")} on ten seeds, no memory ${f.mean("none", "rewriting")}.`,
});
