import { ids } from "@reins/envs";
import { mujocoEnvs } from "../../../envs/dist/mujoco/envs.js";

/** A peer: `peers/rl.py --peer name`; "mujoco" is the engine itself, by `raw-mujoco.ts`. */
export type Peer =
  | "cleanrl"
  | "sb3"
  | "pufferlib"
  | "torch-vector"
  | "jax"
  | "gymnasium"
  | "gymnasium-vector"
  | "mujoco";

/** A benchmark of the suite. */
export interface RlBenchmark {
  readonly name: string;
  readonly about: string;
  readonly unit: "steps/s" | "s" | "MB/Msteps";
  readonly backends: readonly ("native" | "wasm")[];
  /** In order of preference; the ratio is against the first available one. */
  readonly peers: readonly Peer[];
  /** Required ratio against the first peer. */
  readonly ratio?: { readonly native?: number; readonly wasm?: number };
  /** Required ratio against further peers, on native. */
  readonly others?: { readonly [peer in Peer]?: number };
  /** A bound on the number itself: a minimum for rates, a maximum for seconds and bytes. */
  readonly bound?: number;
}

const both = ["native", "wasm"] as const;

/** Rollout and learning together, with CleanRL's settings or PufferLib's. */
const training: RlBenchmark[] = [
  {
    name: "ppo-cartpole",
    about: "PPO as in CleanRL: 4 environments, 128 steps, 4 epochs, 4 minibatches, 64-64 tanh twice",
    unit: "steps/s",
    backends: both,
    peers: ["cleanrl", "sb3", "jax"],
    ratio: { native: 40, wasm: 12 },
    others: { jax: 2.5 },
  },
  {
    name: "ppo-cartpole-1024x64x64",
    about: "PPO as in PureJaxRL with 1024 environments: 128 steps, 4 epochs, 4 minibatches, 64-64 tanh twice",
    unit: "steps/s",
    backends: both,
    peers: ["jax"],
    ratio: { native: 2.5 },
  },
  {
    name: "ppo-cartpole-1024",
    about:
      "PPO as in PufferLib: 1024 environments, 64 steps, one hidden layer of 128, one epoch, minibatches of 8192",
    unit: "steps/s",
    backends: both,
    peers: ["pufferlib", "torch-vector"],
    ratio: { native: 8 },
  },
  {
    name: "dqn-cartpole",
    about: "DQN as in CleanRL: 120-84 relu, minibatches of 128 every 10 steps; after learning has started",
    unit: "steps/s",
    backends: both,
    peers: ["cleanrl", "sb3"],
    ratio: { native: 15 },
  },
  {
    name: "sac-pendulum",
    about: "SAC as in CleanRL: 256-256 relu, minibatches of 256 every step; after learning has started",
    unit: "steps/s",
    backends: both,
    peers: ["cleanrl", "sb3"],
    ratio: { native: 10 },
  },
];

/** Environments that Gymnasium has; others have no peer. */
const known = new Set([
  "CartPole-v1",
  "MountainCar-v0",
  "MountainCarContinuous-v0",
  "Acrobot-v1",
  "Pendulum-v1",
  "FrozenLake-v1",
  "FrozenLake8x8-v1",
  "CliffWalking-v1",
  "Taxi-v4",
  "Blackjack-v1",
]);

/** Rows of an environment benchmark: MuJoCo steps rows in sequence, a thousand times slower. */
export const rowsOf = (id: string) => (id in mujocoEnvs ? 16 : 1024);

/** Required steps per second of an environment. */
const bounds: { readonly [id: string]: number } = { "CartPole-v1": 20e6, "PlanarCheetah-v0": 200e3 };

const environments: RlBenchmark[] = ids().map((id) => ({
  name: `env-${id}`,
  about: `${rowsOf(id)} copies with random actions and autoreset`,
  unit: "steps/s",
  backends: ["native"],
  peers:
    id === "CartPole-v1"
      ? ["gymnasium", "gymnasium-vector", "pufferlib"]
      : known.has(id)
        ? ["gymnasium"]
        : id === "HalfCheetah-v5" || id === "PlanarCheetah-v0"
          ? ["mujoco"]
          : [],
  ratio: id === "HalfCheetah-v5" ? { native: 0.8 } : undefined,
  bound: bounds[id],
}));

/** All benchmarks of the suite. */
export const rlBenchmarks: readonly RlBenchmark[] = [
  ...training,
  ...environments,
  {
    name: "heap",
    about:
      "JavaScript heap allocated in a million environment steps of ppo-cartpole with logging and checkpoints",
    unit: "MB/Msteps",
    backends: both,
    peers: [],
    bound: 1,
  },
  {
    name: "solve-cartpole",
    about: "from process start until the last 100 episodes average 475, kernel cache warm",
    unit: "s",
    backends: both,
    peers: ["sb3", "cleanrl"],
    bound: 3,
  },
  ...["ppo-cartpole", "ppo-cartpole-1024x64x64"].map((name) => ({
    name: `compile-${name}`,
    about: "the additional time of the first update, with an empty kernel cache",
    unit: "s" as const,
    backends: ["native"] as const,
    peers: [],
    bound: 3,
  })),
  {
    name: "solve-cartpole-cold",
    about: "from process start until the last 100 episodes average 475, kernel cache empty",
    unit: "s",
    backends: ["native"],
    peers: [],
    bound: 8,
  },
];
