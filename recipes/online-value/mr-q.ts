import { dqn, mrQ, ppo, td3 } from "@reins/algorithms";
import type { Algorithm, StepEnvironment } from "@reins/core";
import { mazeField, source } from "@reins/envs";
import { learn, mean, recipe, type Trial } from "@reins/recipes";

const mazes = mazeField({ size: 4, levels: 4 });
/** Environment, share of all steps, and the returns with normalised scores 0 and 1. */
const tasks: { readonly [name: string]: readonly [StepEnvironment, number, number, number] } = {
  pole: [source("CartPole-v1"), 0.375, 0, 500],
  pendulum: [source("Pendulum-v1"), 0.375, -1500, -150],
  mazes: [mazes, 0.25, -0.64, mazes.best],
};

const replayed = { batch: 64, learningStarts: 256, capacity: 10_000 };
const hidden = [32, 32];
type Maker = (rate: number, place: StepEnvironment) => Algorithm;

/** One set of hyperparameters on all tasks, with a greedy evaluation at the end. */
const arm = (name: string, made: Maker) => ({
  name,
  run({ seed, settings, budget }: Trial<typeof grid>) {
    const done = Object.entries(tasks).map(([task, [env, share, low, high]]) => {
      const algorithm = made(settings.learningRate, env);
      const { values, early, used } = learn({ algorithm, env, steps: share * budget, seed, greedy: true });
      return { task, early, used, score: (values.greedy - low) / (high - low) };
    });
    const scores = done.map((d) => d.score);
    return {
      values: {
        ...Object.fromEntries(done.map((d) => [d.task, d.score])),
        score: mean(scores),
        least: Math.min(...scores),
      },
      early: done[0].early,
      used: done.reduce((sum, d) => sum + d.used, 0),
    };
  },
});

const general: Maker = (rate) =>
  mrQ({
    ...{ ...replayed, learningRate: rate, criticRate: rate, encoderRate: rate },
    ...{ trainEvery: 4, width: 32, actionWidth: 16, horizon: 3, bins: 21, targetEvery: 50 },
  });
const special: Maker = (rate, { spec }) =>
  spec.action.kind === "box"
    ? td3({ ...replayed, trainEvery: 1, hidden, learningRate: rate, criticRate: rate })
    : dqn({
        ...replayed,
        trainEvery: 1,
        hidden,
        learningRate: rate,
        epsilon: 0.1,
        targetEvery: 50,
        nStep: 3,
      });

const ppoOnAll: Maker = (learningRate) => ppo({ learningRate, hidden, envs: 8, steps: 32 });

const grid = { learningRate: [2e-3, 5e-3] } as const;
const share = (about: string) => ({ about, better: "higher", worst: -1, best: 1 }) as const;
const because = "a twentieth of the way from nothing to the best on every task is what a figure would show";
const against = (other: string) => ({ kind: "no-worse", contrast: ["MR.Q", other], margin: 0.05 }) as const;

export default recipe({
  id: "mr-q",
  paper: "Towards General-Purpose Model-Free Reinforcement Learning",
  source: "arXiv:2501.16142",
  about:
    "Critic and actor use embeddings of states and actions that are trained to predict the next embedding, the reward and termination linearly over a few steps. Otherwise it is TD3 with n-step returns and prioritised replay, for continuous and discrete actions. Claimed: one set of hyperparameters is competitive with domain-specific and general methods.",
  system: arm("MR.Q", general),
  baselines: [arm("DQN or TD3", special), arm("PPO", ppoOnAll)],
  metrics: {
    score: share("normalised return, mean of three tasks"),
    least: share("normalised return on the worst of three tasks"),
    pole: share("normalised return on CartPole-v1"),
    pendulum: share("normalised return on Pendulum-v1"),
    mazes: share("normalised return in four mazes"),
  },
  tuneOn: "pole",
  claims: [
    {
      kind: "joint",
      because: "it is to stand for both",
      paper: "competitive against domain-specific and general baselines",
      of: [
        { ...against("DQN or TD3"), metric: "score", because },
        { ...against("PPO"), metric: "score", because },
      ],
    },
    { metric: "score", contrast: ["MR.Q", "each"], smallest: 0.05, because },
    { metric: "least", contrast: ["MR.Q", "each"], smallest: 0.05, because },
  ],
  grid,
  budget: { unit: "steps", full: 10_240, quick: 2048 },
  minutes: 2,
  deviations: [
    "CartPole-v1, Pendulum-v1 and four 4 × 4 mazes, 2560 to 3840 steps each, replace Gym, DMC and Atari; embeddings have 32 dimensions instead of 512. One learning rate for all networks of an arm is tuned on CartPole-v1 alone, for all arms.",
    "The model is trained once per update; it is unrolled for three steps instead of five, and targets are updated every 50 updates instead of 250.",
    "DQN and TD3 make one update per step, as is usual, MR.Q one every four: each of its updates costs about ten of theirs.",
  ],
  tried: [
    "All with an update every four steps, learning rates of 3e-3 and 8e-3, two seeds each: MR.Q 0.34 to 0.62, DQN or TD3 0.25 to 0.56, PPO 0.45 to 0.73. With one every two steps MR.Q reached 0.77 on CartPole-v1 and 0.66 on Pendulum-v1 after 5000 steps of each, DQN 0.34 and TD3 0.07 (two seeds).",
    "A grid world that is different in every evaluation instead of the mazes: it cannot be learned.",
  ],
  finding: (f) =>
    `Undecided: ${f.count} seeds do not resolve the margin of a twentieth, and the tasks disagree. MR.Q makes a quarter of the updates of DQN and TD3, and learning rates were tuned on CartPole-v1 alone. On the mean of three tasks MR.Q reaches ${f.mean("MR.Q", "score")}, DQN or TD3 ${f.mean("DQN or TD3", "score")} and PPO ${f.mean("PPO", "score")} (${f.effect(0)}). In mazes MR.Q hardly learns in 2560 steps, ${f.mean("MR.Q", "mazes")} where DQN has ${f.mean("DQN or TD3", "mazes")}; on Pendulum-v1 it has ${f.mean("MR.Q", "pendulum")} and TD3 ${f.mean("DQN or TD3", "pendulum")}; on CartPole-v1 all are alike. One set of hyperparameters works on two of the three tasks.`,
});
