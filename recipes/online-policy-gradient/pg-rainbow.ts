import { ppo, type QuantileInformedOptions, quantileInformed } from "@reins/algorithms";
import { lottery, mazeField } from "@reins/envs";
import { learnSide, recipe } from "@reins/recipes";

/** A hundred mazes, of each seed its own, where rewards are paid one time in four, and then fourfold. */
function mazes(seed: number) {
  const field = mazeField({ size: 4, levels: { train: 100, seed } });
  return { ...field, make: (rows: number) => lottery(field.make(rows), { chance: 0.25 }) };
}

const side = (name: string, how?: Partial<QuantileInformedOptions>) =>
  learnSide({
    name,
    env: ({ seed }) => mazes(seed),
    algorithm: how
      ? ppo.with("pg-rainbow", {
          parts: (_, o, context) => quantileInformed(o, context, { hidden: [32], ...how }),
        })
      : ppo,
    options: { envs: 16, steps: 32, hidden: [32], gamma: 0.97 },
    also: ["value/explained"],
    measure: (_, { seed }) => ({ best: mazes(seed).best }),
  });

const because = "two mazes in a hundred that are solved instead of wandered about in";
const gain = { smallest: 0.03, because };

export default recipe({
  id: "pg-rainbow",
  paper: "PG-Rainbow: Using Distributional Reinforcement Learning in Policy Gradient Methods",
  source: "arXiv:2407.13146",
  about:
    "PPO's critic knows the mean of returns only. Here an implicit quantile network learns their distribution from replayed steps beside it, and the critic's numbers, times these quantiles, go through a small network that makes the value of them. Claimed: better informed decisions, and more return than PPO for the same steps.",
  system: side("PG-Rainbow", {}),
  baselines: [side("PPO"), side("PPO, as many weights", { taught: "critic" })],
  ablations: [
    side("only their mean", { shown: "mean" }),
    side("quantiles never learned", { taught: "nobody" }),
    side("four times the updates", { updates: 32 }),
  ],
  metrics: {
    training: { about: "mean return over training", better: "higher", worst: -1, best: "best" },
    "value/explained": {
      about: "share of the returns' variance that the critic explains",
      better: "higher",
      worst: -100,
      best: 1,
    },
  },
  claims: [
    { ...gain, metric: "training", contrast: ["PG-Rainbow", "PPO"], paper: "above PPO in most Atari games" },
    { ...gain, metric: "training", contrast: ["PG-Rainbow", "PPO, as many weights"] },
    {
      metric: "value/explained",
      contrast: ["PG-Rainbow", "PPO"],
      smallest: 0.02,
      because: "a fifth of what PPO's critic explains of returns that are mostly luck",
    },
  ],
  grid: { learningRate: [2e-3, 4e-3, 8e-3] },
  budget: { unit: "steps", full: 40_960, quick: 2048 },
  minutes: 2,
  deviations: [
    "Mazes of 4 × 4 cells whose rewards are paid by a lottery, and layers of 32 units, stand for Atari games.",
    "The critic is shown eight quantiles of each action, at even fractions; which quantiles go in, and that the critic says as many numbers as there are of them, is our reading of the product of both.",
    "Quantiles are learned from the first round on, from the last 16 rounds of 512 steps, in eight minibatches of 128 after each round, with PPO's learning rate.",
    "The critic with as many weights has the same networks, and the value's error alone moves them all.",
  ],
  tried: [
    "24,576 steps, four seeds, one learning rate: PPO 0.449, PG-Rainbow 0.433, as many weights 0.436, only the mean 0.409, never learned 0.420.",
    "40,960 steps, five seeds, the better of two rates: PPO 0.542, PG-Rainbow 0.530; 32 minibatches a round 0.527, these with 64 rounds remembered 0.529, with two layers of 32 units 0.523.",
  ],
  finding: (f) =>
    `Quantiles gain nothing here: PG-Rainbow comes to ${f.mean("PG-Rainbow", "training")}, PPO to ${f.mean("PPO", "training")} (${f.effect()}), and the same networks, moved by the value's error alone, to ${f.mean("PPO, as many weights", "training")} (${f.effect(1)} for quantiles). Its critic explains ${f.mean("PG-Rainbow", "value/explained")} of the returns' variance and PPO's ${f.mean("PPO", "value/explained")} (${f.effect(2)}). Perhaps a mean is all that an advantage needs, and these quantiles are those of greedy actions. On ten seeds, their mean alone comes to ${f.mean("only their mean", "training")}, quantiles that nobody taught to ${f.mean("quantiles never learned", "training")}, four times the updates to ${f.mean("four times the updates", "training")}. Short runs of small networks say little about Atari games, and all but V = f(V ⊙ q) and the replay is our reading of the paper's abstract.`,
});
