import { dqn, dqnParts } from "@reins/algorithms";
import { ShiftingField, shiftingField } from "@reins/envs";
import * as nn from "@reins/nn";
import { learnSide, recipe } from "@reins/recipes";
import { layerNorm, relu, type Tensor, type Tree } from "@reins/tensor";

/** DQN whose hidden layers keep the length of their weights. */
const projecting = dqn.with("nap", {
  parts: (_, o, context) =>
    dqnParts(o, context, "nap", {
      optimiser: (adam) => nn.projected(adam, (name, p) => name.startsWith("body") && p.rank > 1),
    }),
});

/** Nothing to be learned in the norm, by which units could fall silent. */
const normed = (x: Tensor) => relu(layerNorm(x));
const [plain, learned, fixed] = [
  { activation: "relu" },
  { activation: "relu", normalise: true },
  { activation: normed, bias: false },
] as const;

/** DQN in fields that change, with hidden layers of its own. */
const side = (name: string, layers: Partial<nn.MlpOptions>, algorithm = dqn) =>
  learnSide({
    name,
    env: shiftingField(),
    algorithm,
    options: {
      ...{ gamma: 0.95, epsilon: 0.1, double: false, targetEvery: 100 },
      ...{ trainEvery: 1, batch: 32, capacity: 500, learningStarts: 200 },
      network: ({ inputs }) => nn.mlp({ inputs, hidden: [16, 16], ...layers }),
    },
    watch: (run, { budget }) => {
      const weights = run.process.acting!.weights as { readonly body: Tree };
      return () => {
        const [length, now] = [nn.globalNorm(weights.body).item(), run.metrics["return/mean"]];
        const [first, late] = [run.steps <= 1250, run.steps > budget / 2];
        return { length, ...(first && { first: now }), ...(late && { late: now }) };
      };
    },
  });

const returns = { better: "higher", worst: -1, best: ShiftingField.best() } as const;
const because = "a little more than one step less on every way to the goal";
const ahead = (of: string) => ({ metric: "late", contrast: ["NaP", of], smallest: 0.05, because }) as const;

export default recipe({
  id: "nap",
  paper: "Normalization and effective learning rates in reinforcement learning",
  source: "arXiv:2407.01800",
  about:
    "Where a norm follows, longer weights change nothing but turn less with each step: the learning rate decays unseen. Normalize-and-Project norms what goes into each nonlinearity, and after each step gives weights their first length back. Claimed: networks go on learning where data change, and lose nothing where they do not.",
  system: side("NaP", fixed, projecting),
  baselines: [side("MLP", plain), side("layer norm", learned), side("norm without projection", fixed)],
  ablations: [side("projection without norm", plain, projecting)],
  metrics: {
    late: { about: "mean return in the second half of the fields", ...returns },
    training: { about: "mean return over all fields", ...returns },
    first: { about: "mean return in the first field", ...returns },
  },
  tuneOn: "training",
  claims: [
    {
      kind: "joint",
      of: [ahead("MLP"), ahead("layer norm")],
      because,
      paper: "improves robustness to nonstationarity",
    },
    ahead("norm without projection"),
    {
      kind: "no-worse",
      metric: "first",
      contrast: ["NaP", "MLP"],
      margin: 0.1,
      because: "two or three steps on the way to the goal, while everybody is still searching",
      paper: "recovers the performance of the base model in stationary benchmarks",
    },
  ],
  grid: { learningRate: [2e-3, 4e-3] },
  budget: { unit: "steps", full: 30_000, quick: 2048 },
  minutes: 3,
  deviations: [
    "A field of 4 × 4 cells that is exchanged for another every 1250 steps, 24 in all, stands for synthetic benchmarks and for games of the Arcade Learning Environment in a row; two hidden layers of 16 units for its networks. What is stationary is only the first of these fields.",
    "The norm has nothing to learn where weights are projected; in the baseline it has scale and shift as usual. The layer that gives the values is not projected, and the learning rate is constant.",
  ],
  tried: [
    "Scale and shift learned beside the projection, two seeds with 4e-3: 0.27, half of all units silent in the end, where layer norm alone came to 0.51, and without anything to learn in the norm 0.71 with and 0.69 without projection.",
    "Hidden layers of 32 units and 20,000 steps with 3e-3, three seeds: layer norm 0.67, NaP with scale and shift 0.66.",
  ],
  finding: (f) =>
    `The projection adds little: without it weights grow from 8 to ${f.mean("norm without projection", "final/length")} in length, so that each step turns them far less, and the return in later fields is ${f.mean("norm without projection", "late")} against ${f.mean("NaP", "late")} (${f.effect(1)}). What helps is a norm with nothing to learn: with scale and shift learned it is ${f.mean("layer norm", "late")}, without a norm ${f.mean("MLP", "late")}, and with the projection alone ${f.mean("projection without norm", "late")} (ten seeds, and NaP's learning rate, which is the highest that was tried). In the first field NaP comes to ${f.mean("NaP", "first")} and a plain network to ${f.mean("MLP", "first")}.`,
});
