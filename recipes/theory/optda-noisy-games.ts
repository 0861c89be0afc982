import { defaultRng, stream } from "@reins/core/random";
import { type Arm, DivergedError, type Grid, recipe, type Settings, type Trial } from "@reins/recipes";
import { real } from "@reins/tensor";
import {
  adaptive,
  gradients,
  norm,
  optimistic,
  type Players,
  randomGame,
} from "./optda-noisy-games.parts.ts";

/** Actions of a player, deviation of the multiplicative noise, and radius of the actions that are regretted. */
const [size, noise, radius] = [5, 1, 2];
const grid = { extrapolate: [0.1, 0.2, 0.4], share: [0.05, 0.15, 0.5] } as const;
const single = { step: [0.03, 0.1, 0.3], power: [0, 0.25, 0.5] } as const;
/** Without extrapolation, constant steps diverge. */
const descent = { step: [0.01, 0.03, 0.1], power: [0.25, 0.5, 0.75] } as const;
const own = { scale: [0.3, 1, 3], tau: [1, 10, 100] } as const;
type Single = Settings<typeof single>;

const decayed = ({ step, power }: Single, t: number) => step * real.pow(t + 1, -power);

const arm = <G extends Grid>(
  name: string,
  players: (start: Float64Array, settings: Settings<G>) => Players,
  ownGrid?: G,
): Arm => ({
  name,
  ...(ownGrid && { grid: ownGrid }),
  run({ seed, settings, budget: rounds }: Trial<G>) {
    const [problem, random] = [defaultRng(stream(seed, "game")), defaultRng(stream(seed, "noise"))];
    const game = randomGame(problem, size);
    const both = players(
      Float64Array.from({ length: 2 * size }, () => problem.normal(0, 0.5)),
      settings,
    );
    const sum = new Float64Array(2 * size);
    const early: number[] = [];
    // Losses add up to 0, and in hindsight a player's best action within the radius opposes the sum of its gradients.
    const regret = () => radius * (norm(sum.subarray(0, size)) + norm(sum.subarray(size)));
    let [distance, half] = [0, 0];
    for (let t = 0; t < rounds; t++) {
      const actions = both.play(t);
      distance = norm(actions);
      if (!(distance < 1e3)) throw new DivergedError(`${name}: distance ${distance} after ${t} rounds`);
      const exact = gradients(game, actions);
      exact.forEach((g, i) => {
        sum[i] += g;
      });
      const factors = [1, 2].map(() => 1 + noise * random.standardNormal());
      both.observe(
        t,
        exact.map((g, i) => g * factors[i < size ? 0 : 1]),
      );
      if (t < 20) early.push(distance);
      if (t === rounds >> 1) half = regret();
    }
    return { values: { regret: regret(), half, distance }, early, used: rounds };
  },
});

export default recipe({
  id: "optda-noisy-games",
  paper:
    "No-Regret Learning in Games with Noisy Feedback: Faster Rates and Adaptivity via Learning Rate Separation",
  source: "arXiv:2206.06015, cyber-meow/Double_stepsize_extragradient",
  about:
    "Players of a zero-sum game follow noisy gradients of their losses. The optimistic gradient method plays an action that extrapolates the last gradient, and updates the state with the gradient found there. OG+ and OptDA+ give the update a smaller learning rate than the extrapolation. Claimed: if the noise is multiplicative, so that it vanishes with the gradient, regret stays constant, which one common rate does not achieve.",
  system: arm("OptDA+", (start, { extrapolate, share }: Settings<typeof grid>) =>
    optimistic(start, () => ({ extrapolate, update: extrapolate * share })),
  ),
  baselines: [
    arm(
      "optimistic gradient",
      (start, s) => optimistic(start, (t) => ({ extrapolate: decayed(s, t), update: decayed(s, t) })),
      single,
    ),
    arm(
      "gradient descent",
      (start, s) => optimistic(start, (t) => ({ extrapolate: 0, update: decayed(s, t) })),
      descent,
    ),
    arm("adaptive OptDA", adaptive, own),
  ],
  ablations: [
    arm("OptDA+ with equal rates", (start, { extrapolate, share }: Settings<typeof grid>) =>
      optimistic(start, () => ({ extrapolate: extrapolate * share, update: extrapolate * share })),
    ),
  ],
  metrics: {
    regret: { about: "regret of both players", better: "lower", worst: 1e8, best: 0 },
    distance: { about: "distance of the last actions to equilibrium", better: "lower", worst: 1e3, best: 0 },
  },
  claims: [
    {
      kind: "ratio",
      metric: "regret",
      smallest: 1.5,
      because: "a second learning rate to be set must save a third of the regret",
      paper: "constant instead of √T (in theory)",
    },
    {
      kind: "ratio",
      metric: "regret",
      contrast: ["OptDA+", "optimistic gradient"],
      smallest: 1.5,
      because: "as above, and against the method with one rate, which may fall over time",
    },
  ],
  grid,
  limits: { power: [0, 1], share: [0.001, 1] },
  replicates: "game",
  minutes: 2,
  budget: { unit: "rounds", full: 5000, quick: 200 },
  deviations: [
    "Random bilinear games with five actions a player, without constraints, where OG+ and OptDA+ with constant rates coincide; the multiplicative noise has deviation 1.",
    "The mechanism was read in the first author's program for the preceding paper (JacOG in algorithms.py of Double_stepsize_extragradient), which has OG with two step sizes, not in the paper's own text; the adaptive variant of OptDA+ is left out.",
  ],
  finding: (f) =>
    `Two learning rates have much less regret than one, as claimed. Against the best baseline OptDA+ changes regret by ${f.effect(0)}, and against the optimistic gradient method with one rate by ${f.effect(1)}, over ${f.count} games. Its regret stops growing: ${f.mean("OptDA+", "half")} after half of the rounds and ${f.mean("OptDA+", "regret")} at the end. What speaks against the size: the regret of the baselines hardly grows either (optimistic gradient ${f.mean("optimistic gradient", "half")} and ${f.mean("optimistic gradient", "regret")}, adaptive OptDA ${f.mean("adaptive OptDA", "half")} and ${f.mean("adaptive OptDA", "regret")}), so at this horizon the gain is a constant. Gradient descent has ${f.mean("gradient descent", "regret")}, OptDA+ with equal rates ${f.mean("OptDA+ with equal rates", "regret")}.`,
});
