/** A task of the training page. Plain data, used by the page and its worker. */
export interface TrainTask {
  readonly id: string;
  readonly title: string;
  /** The task in one sentence. */
  readonly about: string;
  /** Name of the environment or language task. */
  readonly env: string;
  readonly algorithm: string;
  /** Settings that override the tuned ones of the environment. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Training budget, in steps. */
  readonly steps: number;
  /** Playback rate in steps per second; 0 for language tasks. */
  readonly pace: number;
  /** Default speed limit of training in steps per second, if it is too fast to watch. */
  readonly watch?: number;
  /** The return to aim for, as text. */
  readonly goal: string;
}

/** The tasks of the training page, fastest first. */
export const tasks: readonly TrainTask[] = [
  {
    id: "cartpole",
    title: "CartPole",
    about: "Balance a pole by pushing its cart left or right.",
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
    about: "Find a key, unlock the door and reach the green square, with a partial view.",
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
    goal: "Faster is better; above 0.9 it solves the task.",
  },
  {
    id: "breakout",
    title: "Breakout",
    about: "MinAtar Breakout: hit the ball with the paddle and break the bricks.",
    env: "MinAtar/Breakout-v1",
    algorithm: "ppo",
    steps: 150_000,
    pace: 12,
    goal: "One point per brick; above 10 it plays well.",
  },
  {
    id: "lander",
    title: "LunarLander",
    about: "Land gently on a pad between two flags, with little fuel.",
    env: "LunarLander-v3",
    algorithm: "ppo",
    steps: 500_000,
    pace: 50,
    goal: "A crash costs 100; 200 counts as solved.",
  },
  {
    id: "hopper",
    title: "Hopper",
    about: "Hop forward on one leg with three motors without falling.",
    env: "PlanarHopper-v0",
    algorithm: "ppo",
    steps: 1_000_000,
    pace: 60,
    goal: "Above 1000 it hops; 2500 is good.",
  },
  {
    id: "sorting",
    title: "Sorting letters",
    about: "A tiny language model sorts letters: supervised fine-tuning first, then GRPO.",
    env: "sorting",
    algorithm: "grpo",
    steps: 300_000,
    pace: 0,
    goal: "On 50 held-out problems.",
  },
];

/** The task with an id or an environment. */
export const taskOf = (name: string): TrainTask | undefined =>
  tasks.find(({ id, env }) => id === name || env === name);

/** The unit of training steps. */
export const unitOf = ({ pace }: TrainTask): "steps" | "tokens" => (pace > 0 ? "steps" : "tokens");

/** The metric of the main curve. */
export const scoreOf = ({ pace }: TrainTask): string => (pace > 0 ? "return/mean" : "answers/right");

/** The default speed limit of a task in steps per second; null is unlimited. */
export const paceOf = ({ watch }: TrainTask): number | null => watch ?? null;
