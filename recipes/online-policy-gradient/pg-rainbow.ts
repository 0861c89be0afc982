import { ppo, type QuantileInformedPpoOptions, quantileInformedPpo } from "@reins/algorithms";
import { mazeField, stochasticReward } from "@reins/envs";
import { learnArm, recipe } from "@reins/recipes";

/** A hundred mazes per seed, with a fourfold reward one time in four. */
function mazes(seed: number) {
  const field = mazeField({ size: 4, levels: { train: 100, seed } });
  return { ...field, make: (rows: number) => stochasticReward(field.make(rows), { chance: 0.25 }) };
}

const arm = (name: string, how?: Partial<QuantileInformedPpoOptions>) =>
  learnArm({
    name,
    env: ({ seed }) => mazes(seed),
    algorithm: how
      ? ppo.with("pg-rainbow", {
          parts: (_, o, context) => quantileInformedPpo(o, context, { hidden: [32], ...how }),
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
    "PPO's critic estimates only the mean of returns. Here an implicit quantile network learns their distribution from a replay buffer, and the critic's outputs, multiplied by these quantiles, pass through a small network that gives the value. Claimed: better informed decisions, and more return than PPO for the same steps.",
  system: arm("PG-Rainbow", {}),
  baselines: [arm("PPO"), arm("PPO, as many weights", { trainedBy: "critic" })],
  ablations: [
    arm("only their mean", { shown: "mean" }),
    arm("quantiles never learned", { trainedBy: "none" }),
    arm("four times the updates", { updates: 32 }),
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
    "4 × 4 mazes with lottery rewards and layers of 32 units replace Atari games.",
    "The critic gets eight quantiles of each action, at even fractions. Which quantiles are used, and that the critic has one output for each, is our reading of the product of both.",
    "Quantiles are learned from the first update on, from the last 16 rollouts of 512 steps, in eight minibatches of 128 after each rollout, with PPO's learning rate.",
    "The critic with as many weights has the same networks, all trained by the value loss alone.",
  ],
  tried: [
    "24,576 steps, four seeds, one learning rate: PPO 0.449, PG-Rainbow 0.433, as many weights 0.436, only the mean 0.409, never learned 0.420.",
    "40,960 steps, five seeds, the better of two learning rates: PPO 0.542, PG-Rainbow 0.530; 32 minibatches per rollout 0.527, these with a buffer of 64 rollouts 0.529, with two layers of 32 units 0.523.",
  ],
  finding: (f) =>
    `Quantiles change the return by a negligible amount. Short runs of small networks say little about Atari games, and everything but V = f(V ⊙ q) and the replay buffer is our reading of the paper's abstract. PG-Rainbow reaches ${f.mean("PG-Rainbow", "training")}, PPO ${f.mean("PPO", "training")} (${f.effect(0)}), and the same networks, trained by the value loss alone, ${f.mean("PPO, as many weights", "training")} (${f.effect(1)} for quantiles). Its critic explains ${f.mean("PG-Rainbow", "value/explained")} of the returns' variance and PPO's ${f.mean("PPO", "value/explained")} (${f.effect(2)}). An advantage may need the mean alone, and these quantiles are those of greedy actions. On ten seeds, their mean alone reaches ${f.mean("only their mean", "training")}, untrained quantiles ${f.mean("quantiles never learned", "training")}, four times the updates ${f.mean("four times the updates", "training")}.`,
});
