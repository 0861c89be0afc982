import { fitRows, LevelPlays, LevelReplay, type LevelReplayOptions, ppo } from "@reins/algorithms";
import { defaultRng, evaluate, type Generator, stream } from "@reins/core";
import { editedMoss, likeliestMoss, type MossLevel, mossField, mossLevel, mossRow } from "@reins/envs";
import { learn, mean, recipe, recordedMean, type Trial } from "@reins/recipes";

/** Mazes of 4 × 4 cells, sixty of which are given. */
const [size, walls, count, cells] = [4, 0.25, 60, 16];
const usual = { envs: 16, steps: 32, hidden: [32], gamma: 0.97 };
type Way = (given: readonly MossLevel[], random: Generator) => Partial<LevelReplayOptions<MossLevel>>;

/** Levels between two of the given ones, as a model of their rows has them: at six places on the way, its ends among them. */
const modelled: (...of: Parameters<Way>) => () => MossLevel = (given, random) => {
  const [rows, seed] = [given.map(mossRow), random.integers(2 ** 31)];
  const model = fitRows({ rows, bits: 2 * cells, choices: [cells, cells], seed });
  const any = () => random.integers(count);
  return () => likeliestMoss(model.between(any(), any(), random.integers(6) / 5, random), size);
};

const side = (name: string, way: Way) => ({
  name,
  run({ seed, budget, settings }: Trial) {
    const random = defaultRng(stream(seed, "levels"));
    const given = Array.from({ length: count }, () => mossLevel(random, size, walls));
    const teacher = new LevelReplay({ given, random, ...way(given, random) });
    const plays = new LevelPlays(teacher);
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
    "Few levels are given, and others of their kind are to be solved. DRED fits a variational autoencoder to the given ones, makes new ones between them, and plays all by how far the critic is off in each. Claimed: better in unseen levels than levels given alone, prioritised or not, and than designs that edit levels, which drift away from what is given.",
  system: side("DRED", (...of) => ({ mixing: { rising: 1 }, invent: modelled(...of) })),
  baselines: [
    side("uniform", () => alike),
    side("PLR", () => ({})),
    side("edits", (_, random) => ({ invent: (draw) => editedMoss(random, draw(), size, 2) })),
  ],
  ablations: [
    side("no priorities", (...of) => ({ ...alike, mixing: { rising: Infinity }, invent: modelled(...of) })),
    side("all levels", (_, random) => ({ invent: () => mossLevel(random, size, walls), fresh: 1 })),
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
    "Mazes of 4 × 4 cells whose unseen goal moss tells stand for the caves of MiniGrid, a layer of 32 units that sees all of them for a recurrent network with a small view; the model has layers where the authors' has a graph network, and Procgen is left out.",
    "New levels are learned from when they are first played, half of the plays of all levels; the authors only score them then. Levels that were never won are not kept.",
    "Edits (ACCEL) begin with the given levels, as one of the paper's variants does; two edits a level, of 16 cells, stand for five of 169. Ranks and staleness count as the authors have it.",
  ],
  tried: [
    "24,576 steps, eight seeds, rate 4e-3: uniform 0.47, PLR 0.50 (0.49 with temperature 1), five edits 0.39 and two 0.45, DRED 0.57, without priorities 0.59. 40,960 steps, five seeds: 0.39, 0.43, 0.47 (two edits), 0.57. 100 levels: 0.58, 0.57, 0.51, 0.67; 30 levels and 24,576 steps: 0.17, 0.29, 0.36, 0.39.",
  ],
  finding: (f) =>
    `The gain over given levels alone is gone once learning rates are tuned: uniform plays come to ${f.mean("uniform", "test")} in unseen levels with a rate of 5e-4 (and ${f.mean("uniform", "last")} in the given ones), and DRED to ${f.mean("DRED", "test")} (${f.effect()}); at 4e-3 it led by 0.14 on tuning seeds. Its priorities are no help that shows: without them it comes to ${f.mean("no priorities", "test")} on ten seeds, and prioritised plays of given levels (${f.mean("PLR", "test")}) stay behind uniform ones (${f.effect(1)}). What holds is that edits drift: moss grows on the goal in ${f.mean("edits", "mossy")} of the levels that they keep, in ${f.mean("DRED", "mossy")} of DRED's and in all that are found, and they come to ${f.mean("edits", "test")}, behind PLR by ${f.effect(2)}. There is something to gain: who plays ever new levels as they are found comes to ${f.mean("all levels", "test")} (ten seeds).`,
});
