/** Something that can be learned in a page. Plain data: the page and its worker both know it. */
export interface TrainTask {
  readonly id: string;
  readonly title: string;
  /** What is to be done, in a sentence. */
  readonly about: string;
  /** The environment or the task in words, by its name. */
  readonly env: string;
  readonly algorithm: string;
  /** Settings over those that were found for the environment. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Steps of a training. */
  readonly steps: number;
  /** Steps a second at which one watches it play; 0 where it answers in words. */
  readonly pace: number;
  /** Steps a second at which one can see it learn, where it is too fast for that by itself. */
  readonly watch?: number;
  /** What its return should come to, in words. */
  readonly goal: string;
}

/** What can be learned here, the quickest first. */
export const tasks: readonly TrainTask[] = [
  {
    id: "cartpole",
    title: "CartPole",
    about: "Keep a pole upright by pushing its cart to the left or to the right.",
    env: "CartPole-v1",
    algorithm: "ppo",
    steps: 500_000,
    pace: 50,
    watch: 2000,
    goal: "500 is the maximum return; 475 counts as solved.",
  },
  {
    id: "grid",
    title: "Key and door",
    about: "Find a key, unlock the door and get to the green square, seeing a few cells ahead.",
    env: "MiniGrid-DoorKey-5x5-v0",
    algorithm: "ppo",
    settings: {
      envs: 16,
      steps: 64,
      shared: true,
      hidden: [32],
      learningRate: 1.5e-3,
      epochs: 3,
      minibatches: 4,
      entropyWeight: 0.03,
    },
    steps: 150_000,
    pace: 6,
    goal: "The sooner the better; above 0.9 it knows the way.",
  },
  {
    id: "breakout",
    title: "Breakout",
    about: "A game of MinAtar: hit the ball with the paddle and break the bricks.",
    env: "MinAtar/Breakout-v1",
    algorithm: "ppo",
    steps: 150_000,
    pace: 12,
    goal: "A point for each brick; above 10 it plays well.",
  },
  {
    id: "lander",
    title: "LunarLander",
    about: "Land on a pad between two flags with three engines, gently and without waste.",
    env: "LunarLander-v3",
    algorithm: "ppo",
    steps: 500_000,
    pace: 50,
    goal: "A crash costs 100; 200 is a good landing.",
  },
  {
    id: "hopper",
    title: "Hopper",
    about: "Hop forward on one leg with three motors, and do not fall.",
    env: "PlanarHopper-v0",
    algorithm: "ppo",
    steps: 1_000_000,
    pace: 60,
    goal: "Above 1000 it hops; 2500 is far.",
  },
  {
    id: "sorting",
    title: "Words: sorting",
    about: "A tiny language model sorts letters: it imitates first, then its right answers are rewarded.",
    env: "sorting",
    algorithm: "grpo",
    steps: 300_000,
    pace: 0,
    goal: "Of 50 problems that it never learns from.",
  },
];

/** The task of an id, or of the environment of an agent. */
export const taskOf = (name: string): TrainTask | undefined =>
  tasks.find(({ id, env }) => id === name || env === name);

/** What is counted where a task learns. */
export const unitOf = ({ pace }: TrainTask): "steps" | "tokens" => (pace > 0 ? "steps" : "tokens");

/** The metric that says how well a task is done. */
export const scoreOf = ({ pace }: TrainTask): string => (pace > 0 ? "return/mean" : "answers/right");

/** Steps a second that a task learns with unless somebody chooses; null: as fast as it can. */
export const paceOf = ({ watch }: TrainTask): number | null => watch ?? null;
