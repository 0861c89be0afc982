import { dqn, dqnParts } from "@reins/algorithms";
import { ShiftingField, shiftingField } from "@reins/envs";
import * as nn from "@reins/nn";
import { learnArm, recipe } from "@reins/recipes";
import { layerNorm, relu, type Tensor, type Tree } from "@reins/tensor";

/** DQN whose hidden layers are projected to their initial weight norm. */
const projecting = dqn.with("nap", {
  parts: (_, o, context) =>
    dqnParts(o, context, "nap", {
      optimiser: (adam) => nn.fixedNorm(adam, (name, p) => name.startsWith("body") && p.rank > 1),
    }),
});

/** Layer norm without learned parameters, which could make units die. */
const normed = (x: Tensor) => relu(layerNorm(x));
const [plain, learned, fixed] = [
  { activation: "relu" },
  { activation: "relu", normalise: true },
  { activation: normed, bias: false },
] as const;

/** DQN in changing grid worlds, with the given hidden layers. */
const arm = (name: string, layers: Partial<nn.MlpOptions>, algorithm = dqn) =>
  learnArm({
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
    "With normalisation, longer weights leave the function unchanged but rotate less with each step: the effective learning rate decays. Normalize-and-Project normalises the input of each nonlinearity, and rescales weights to their initial norm after each step. Claimed: networks keep learning on nonstationary data, and lose nothing on stationary data.",
  system: arm("NaP", fixed, projecting),
  baselines: [arm("MLP", plain), arm("layer norm", learned), arm("norm without projection", fixed)],
  ablations: [arm("projection without norm", plain, projecting)],
  metrics: {
    late: { about: "mean return in the second half of the grid worlds", ...returns },
    training: { about: "mean return over all grid worlds", ...returns },
    first: { about: "mean return in the first grid world", ...returns },
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
    "A 4 × 4 grid world that is replaced by another every 1250 steps, 24 in all, replaces synthetic benchmarks and sequences of Atari games; two hidden layers of 16 units replace their networks. Only the first of these worlds is stationary.",
    "The normalisation has no learned parameters where weights are projected; in the baseline it has scale and shift as usual. The output layer is not projected, and the learning rate is constant.",
  ],
  tried: [
    "Scale and shift learned together with the projection, two seeds with 4e-3: 0.27, half of all units dead at the end, where layer norm alone reached 0.51, and without learned parameters in the normalisation 0.71 with and 0.69 without projection.",
    "Hidden layers of 32 units and 20,000 steps with 3e-3, three seeds: layer norm 0.67, NaP with scale and shift 0.66.",
  ],
  finding: (f) =>
    `NaP keeps learning better than a plain network and layer norm, as claimed. The projection adds a negligible amount; what helps is normalisation without learned parameters. Without projection the weight norm grows from 8 to ${f.mean("norm without projection", "final/length")}, so that each step rotates weights far less, and yet the return in later worlds is ${f.mean("norm without projection", "late")} against ${f.mean("NaP", "late")} (${f.effect(1)}). With learned scale and shift it is ${f.mean("layer norm", "late")}, without normalisation ${f.mean("MLP", "late")}, and with projection alone ${f.mean("projection without norm", "late")} (ten seeds, with NaP's learning rate, the highest in the grid). In the first world NaP reaches ${f.mean("NaP", "first")} and a plain network ${f.mean("MLP", "first")}.`,
});
