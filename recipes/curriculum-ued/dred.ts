import {
  fitRowAutoencoder,
  LevelAssignment,
  LevelReplay,
  type LevelReplayOptions,
  ppo,
} from "@reins/algorithms";
import { evaluate } from "@reins/core/evaluations";
import { defaultRng, type Generator, stream } from "@reins/core/random";
import {
  type MossLevel,
  mossField,
  mossLevel,
  mossLevelFromLogits,
  mossLevelToRow,
  mutateMossLevel,
} from "@reins/envs";
import { learn, mean, recipe, recordedMean, type Trial } from "@reins/recipes";

/** 4 × 4 mazes, of which sixty are given. */
const [size, walls, count, cells] = [4, 0.25, 60, 16];
const usual = { envs: 16, steps: 32, hidden: [32], gamma: 0.97 };
type Way = (given: readonly MossLevel[], random: Generator) => Partial<LevelReplayOptions<MossLevel>>;

/** Interpolates between two given levels in the latent space, at one of six positions including both ends. */
const modelled: (...of: Parameters<Way>) => () => MossLevel = (given, random) => {
  const [rows, seed] = [given.map(mossLevelToRow), random.integers(2 ** 31)];
  const model = fitRowAutoencoder({ rows, bits: 2 * cells, choices: [cells, cells], seed });
  const any = () => random.integers(count);
  return () => mossLevelFromLogits(model.between(any(), any(), random.integers(6) / 5, random), size);
};

const arm = (name: string, way: Way) => ({
  name,
  run({ seed, budget, settings }: Trial) {
    const random = defaultRng(stream(seed, "levels"));
    const given = Array.from({ length: count }, () => mossLevel(random, size, walls));
    const teacher = new LevelReplay({ given, random, ...way(given, random) });
    const plays = new LevelAssignment(teacher);
    const rounds = budget / (usual.envs * usual.steps);
    const algorithm = ppo.with("levels", {
      parts: (_, { gamma, lambda }) => ({
        beside: (round) => plays.beside(round, { gamma, lambda, rounds }),
      }),
    })({ ...settings, ...usual });
    const env = mossField({ size, level: plays.level });
    const { run, values, ...rest } = learn({ algorithm, env, steps: budget, seed });
    const test = recordedMean(
      evaluate(run, mossField({ size, walls }), { seed, episodes: 400, greedy: false }),
    );
    const mossy = mean(teacher.levels.slice(count).map(({ moss, goal }) => moss[goal]));
    return { ...rest, values: { ...values, test, mossy: teacher.levels.length > count ? mossy : 1 } };
  },
});

const counts = { metric: "test", smallest: 0.05 } as const;
const because = "three levels in a hundred that are solved instead of wandered about in";
const alike = { temperature: Infinity, staleness: 0 };

export default recipe({
  id: "dred",
  paper: "DRED: Zero-Shot Transfer in Reinforcement Learning via Data-Regularised Environment Design",
  source: "arXiv:2402.03479",
  about:
    "Few levels are given, and unseen levels of the same kind must be solved. DRED fits a variational autoencoder to the given levels, generates new ones by interpolation, and samples all levels by the critic's error. Claimed: better in unseen levels than training on the given levels alone, prioritised or not, and than designs that edit levels, which drift away from the given distribution.",
  system: arm("DRED", (...of) => ({ mixing: { rising: 1 }, invent: modelled(...of) })),
  baselines: [
    arm("uniform", () => alike),
    arm("PLR", () => ({})),
    arm("edits", (_, random) => ({ invent: (draw) => mutateMossLevel(random, draw(), size, 2) })),
  ],
  ablations: [
    arm("no priorities", (...of) => ({ ...alike, mixing: { rising: Infinity }, invent: modelled(...of) })),
    arm("all levels", (_, random) => ({ invent: () => mossLevel(random, size, walls), fresh: 1 })),
  ],
  metrics: { test: { about: "mean return in unseen levels", better: "higher", worst: -1, best: 0.9 } },
  claims: [
    { ...counts, because, contrast: ["DRED", "each"], paper: "significant improvements over both" },
    { ...counts, because, contrast: ["PLR", "uniform"], paper: "prioritising by value loss regularises" },
    { ...counts, because, contrast: ["PLR", "edits"], paper: "shifted distributions transfer badly" },
  ],
  grid: { learningRate: [1e-3, 2e-3, 4e-3] },
  budget: { unit: "steps", full: 32_768, quick: 2048 },
  minutes: 1,
  deviations: [
    "4 × 4 mazes whose moss hints at the hidden goal replace the caves of MiniGrid, and a layer of 32 units with a full view replaces a recurrent network with a small view. The generative model has dense layers where the authors use a graph network; Procgen is left out.",
    "New levels are trained on when they are first played, in half of the episodes; the authors only score them then. Levels that were never solved are not kept.",
    "Edits (ACCEL) begin with the given levels, as in one of the paper's variants; two edits per level of 16 cells replace five of 169. Ranks and staleness follow the authors.",
  ],
  tried: [
    "24,576 steps, eight seeds, learning rate 4e-3: uniform 0.47, PLR 0.50 (0.49 with temperature 1), five edits 0.39 and two 0.45, DRED 0.57, without priorities 0.59. 40,960 steps, five seeds: 0.39, 0.43, 0.47 (two edits), 0.57. 100 levels: 0.58, 0.57, 0.51, 0.67; 30 levels and 24,576 steps: 0.17, 0.29, 0.36, 0.39.",
  ],
  finding: (f) =>
    `DRED's gain over the given levels alone is negligible once learning rates are tuned. One part of the claim has support: edited levels drift away and transfer worse. Uniform sampling reaches ${f.mean("uniform", "test")} in unseen levels with a learning rate of 5e-4 (and ${f.mean("uniform", "last")} in the given ones), DRED ${f.mean("DRED", "test")} (${f.effect(0)}); at 4e-3 it led by 0.14 on tuning seeds. Its priorities do not help: without them it reaches ${f.mean("no priorities", "test")} on ten seeds, and prioritised replay of the given levels (PLR, ${f.mean("PLR", "test")}) is behind uniform sampling (${f.effect(1)}). Moss grows on the goal in ${f.mean("edits", "mossy")} of the edited levels that are kept, in ${f.mean("DRED", "mossy")} of DRED's and in all given ones; edits reach ${f.mean("edits", "test")}, behind PLR by ${f.effect(2)}. There is room for improvement: fresh levels from the true distribution reach ${f.mean("all levels", "test")} (ten seeds).`,
});
