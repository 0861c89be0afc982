import { dqn, ppo, sac } from "@reins/algorithms";
import { type Algorithm, Run, type VectorEnv } from "@reins/core";
import { defaultRng } from "@reins/core/random";
import { columns, sampleValue, writeValue } from "@reins/core/spaces";
import { loadEnv, make } from "@reins/envs";
import type { Tree } from "@reins/tensor";
import { rowsOf } from "./benchmarks.ts";
import { rawMujoco } from "./raw-mujoco.ts";
import type { Workload } from "./workload.ts";

const endless = 1e12;

function training(env: string, algorithm: Algorithm, warm = 0): Workload {
  const source = { spec: make(env, { rows: 1 }).spec, make: (rows: number) => make(env, { rows }) };
  const run = new Run({ algorithm, env: source, steps: endless, seed: 1 });
  if (warm) run.advance(warm);
  return {
    iterate() {
      const before = run.steps;
      run.round();
      return run.steps - before;
    },
  };
}

/** The settings of CleanRL's `ppo.py`. */
export const cleanRlSettings = {
  envs: 4,
  steps: 128,
  epochs: 4,
  minibatches: 4,
  hidden: [64, 64],
  activation: "tanh",
  learningRate: 2.5e-4,
  clip: 0.2,
  entropyWeight: 0.01,
  valueWeight: 0.5,
  clipNorm: 0.5,
  gamma: 0.99,
  lambda: 0.95,
  clipValue: true,
  normalise: "minibatch",
} as const;

/** PPO with these settings. */
export const ppoCartPole = (): Algorithm => ppo(cleanRlSettings);

const workloads: { readonly [name: string]: () => Workload } = {
  "ppo-cartpole": () => training("CartPole-v1", ppoCartPole()),
  "ppo-cartpole-1024x64x64": () => training("CartPole-v1", ppo({ ...cleanRlSettings, envs: 1024 })),
  "ppo-cartpole-1024": () =>
    training(
      "CartPole-v1",
      ppo({
        envs: 1024,
        steps: 64,
        epochs: 1,
        minibatches: 8,
        hidden: [128],
        activation: "relu",
        shared: true,
      }),
    ),
  "dqn-cartpole": () =>
    training(
      "CartPole-v1",
      dqn({
        learningRate: 2.5e-4,
        gamma: 0.99,
        epsilon: 0.05,
        tau: 1,
        targetEvery: 50,
        clipNorm: Number.POSITIVE_INFINITY,
        batch: 128,
        capacity: 10_000,
        learningStarts: 10_000,
        trainEvery: 10,
        hidden: [120, 84],
        double: false,
        loss: "squared",
      }),
      11_000,
    ),
  "sac-pendulum": () =>
    training(
      "Pendulum-v1",
      sac({
        learningRate: 3e-4,
        criticRate: 1e-3,
        policyEvery: 2,
        batch: 256,
        learningStarts: 5000,
        hidden: [256, 256],
      }),
      5_200,
    ),
};

/** The environment alone, with precomputed random actions. */
async function environment(id: string): Promise<Workload> {
  await loadEnv(id);
  const env = make(id, { rows: rowsOf(id) });
  env.reset({ seed: 1 });
  const actions = randomActions(env, 64);
  let t = 0;
  return {
    iterate() {
      for (let i = 0; i < 64; i++) env.step(actions[(t + i) % 64]);
      t = (t + 17) % 64;
      return 64 * env.rows;
    },
  };
}

function randomActions({ spec, rows }: VectorEnv, count: number): Tree[] {
  const rng = defaultRng(1);
  return Array.from({ length: count }, () => {
    const action = columns(spec.action, rows);
    for (let row = 0; row < rows; row++) writeValue(spec.action, action, row, sampleValue(spec.action, rng));
    return action;
  });
}

/** The workload of a benchmark. */
export async function workload(name: string): Promise<Workload> {
  if (name.startsWith("env-")) return environment(name.slice(4));
  // HalfCheetah in our physics or in MuJoCo's.
  if (name.startsWith("mujoco-")) return rawMujoco();
  const make = workloads[name];
  if (!make) throw new Error(`Unknown workload ${name}.`);
  return make();
}
