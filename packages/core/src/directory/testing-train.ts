import { existsSync } from "node:fs";
import type { Algorithm } from "../algorithm.ts";
import type { VectorEnv } from "../env.ts";
import { Run } from "../run.ts";
import { RunDirectory } from "./directory.ts";
import { chaosRun } from "./testing.ts";

/** Core depends on neither environments nor algorithms, so they are imported without types. */
const load = <T>(name: string) => import(/* @vite-ignore */ name) as Promise<T>;

async function ppoRun(): Promise<Run> {
  type Make = (id: string, options: object) => VectorEnv;
  const { make } = await load<{ make: Make }>("@reins/envs");
  const { ppo } = await load<{ ppo: (options: object) => Algorithm }>("@reins/algorithms");
  const spec = make("CartPole-v1", { rows: 1 }).spec;
  const env = { spec, make: (rows: number) => make("CartPole-v1", { rows }) };
  const learningRate = { signal: "linear", from: 1e-3, to: 0 };
  const clip = {
    signal: "multiplicative",
    of: "policy/kl",
    target: 0.01,
    initial: 0.2,
    direction: -1,
    min: 0.05,
    max: 0.5,
  };
  return new Run({
    algorithm: ppo({ envs: 4, steps: 16, hidden: [16], clip, learningRate }),
    env,
    steps: 6400,
    seed: 3,
  });
}

/** Trains in a directory to the end, resuming an existing run. Returns its first step. */
export async function train(
  kind: string,
  path: string,
  begin: (steps: number) => void = () => {},
): Promise<number> {
  const run = kind === "ppo" ? await ppoRun() : chaosRun(160_000, { work: 100 });
  const { algorithm, env, steps, seed } = run.options;
  const { name, options } = algorithm;
  const directory = existsSync(path)
    ? RunDirectory.open(path)
    : RunDirectory.create(path, { algorithm: name, options, env: env.spec.id, steps, seed });
  const from = directory.resume(run);
  begin(from);
  while (!run.finished) {
    run.round();
    directory.record(run, { rows: 100, checkpoints: 20 });
  }
  directory.finish({ steps: run.steps });
  directory.close();
  return from;
}
