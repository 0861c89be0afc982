/** Forms of storage that the command line does not cover: a replay buffer on disk, and recorded episodes. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { tabularQ } from "@reins/algorithms";
import { type ActingPolicy, type AlgorithmContext, define, Run } from "@reins/core";
import { diskReplay, RunDirectory } from "@reins/core/directory";
import { EpisodeRecorder, offPolicy } from "@reins/core/loops";
import type { TransitionColumns } from "@reins/core/replay";
import { make } from "@reins/envs";
import {
  argmax,
  matmul,
  mean,
  mul,
  oneHot,
  random,
  sub,
  sum,
  type Tensor,
  tensor,
  valueAndGradient,
} from "@reins/tensor";

type Weights = { readonly w: Tensor };
const values = ({ w }: Weights, observation: unknown) => matmul(observation as Tensor, w);

/** A linear model of the next reward, learned from a replay buffer in a file beside the run. */
function start(_: unknown, context: AlgorithmContext) {
  const policy: ActingPolicy = {
    init: () => ({}),
    act: (weights, { observation }, state) => ({
      action: argmax(values(weights as Weights, observation), 1),
      state,
    }),
  };
  return offPolicy<Weights>(
    {
      name: "remembering",
      policy,
      learner: {
        init: (key) => ({ w: random.normal(key, [4, 2]) }),
        acting: (weights) => weights,
        update(weights, batch) {
          const { observation, action, reward } = batch as TransitionColumns;
          const { value, gradient } = valueAndGradient((p: Weights) => {
            const chosen = sum(mul(values(p, observation), oneHot(action as Tensor, 2)), 1);
            const error = sub(chosen, reward as Tensor);
            return mean(mul(error, error));
          })(weights);
          return { state: { w: sub(weights.w, mul(gradient.w, 0.05)) }, metrics: { "loss/value": value } };
        },
      },
      replay: diskReplay({ path: "replay.bin", capacity: 150 }),
      batch: 8,
      envs: 2,
      trainEvery: 4,
      updates: 1,
      learningStarts: 32,
      round: 32,
    },
    context,
  );
}
const remembering = define({
  name: "remembering",
  summary: "Learns from a replay on disk.",
  options: {},
  start,
});

/** The forms by name: an algorithm, an environment, and whether episodes are recorded. */
const forms = {
  "disk-replay": { algorithm: () => remembering(), env: "CartPole-v1", steps: 640, episodes: false },
  episodes: { algorithm: () => tabularQ({ envs: 2 }), env: "FrozenLake-v1", steps: 8000, episodes: true },
};
export const formNames = Object.keys(forms) as (keyof typeof forms)[];

/** Starts a run in a directory, or resumes an existing one. Returns a line with the outcome. */
export function trainForm(form: keyof typeof forms, path: string, seed: number): string {
  const { algorithm, env: id, steps, episodes } = forms[form];
  const env = { spec: make(id, { rows: 1 }).spec, make: (rows: number) => make(id, { rows }) };
  const run = new Run({ algorithm: algorithm(), env, steps, seed });
  const { name, options } = run.options.algorithm;
  const directory = existsSync(join(path, "config.json"))
    ? RunDirectory.open(path)
    : RunDirectory.create(path, { algorithm: name, options, env: id, steps, seed });
  try {
    directory.resume(run);
    while (!run.finished) {
      run.round();
      if (episodes) directory.recordEpisode(episodeOf(run), run.steps);
      directory.record(run, { rows: 100, checkpoints: 10 });
    }
    directory.finish({ steps: run.steps, metrics: run.metrics });
  } finally {
    directory.close();
  }
  return `${run.steps} steps`;
}

/** The contents of an episode do not matter here, only that they depend on the run; every third is too large for one file. */
function episodeOf(run: Run) {
  const recorder = new EpisodeRecorder();
  const width = run.rounds % 3 ? 2 : 2000;
  for (let t = 0; t < 6; t++) {
    const seen = Float32Array.from({ length: width }, (_, i) => run.steps + t + i / 7);
    recorder.add({ observation: tensor(seen, { shape: [1, width] }), reward: t });
  }
  return recorder.finish({ terminated: true, truncated: false, task: `round ${run.rounds}` });
}

/** Reads all episodes that the run in a directory has recorded. */
export function readForm(path: string): string {
  const all = RunDirectory.open(path).episodes();
  return JSON.stringify(all.map((e) => [e.number, e.steps, Array.from(e.load().return)]));
}
