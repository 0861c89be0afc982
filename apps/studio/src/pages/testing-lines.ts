import type { RunDetail, RunLine } from "@reins/studio/wire";

/** A run of the list with test data. */
export const runLine = (more: Partial<RunLine> = {}): RunLine => ({
  name: "ppo-CartPole-v1-1",
  state: "finished",
  algorithm: "ppo",
  env: "CartPole-v1",
  seed: 3,
  given: "--learning-rate 3e-4",
  steps: 1,
  budget: 2,
  return: null,
  fresh: null,
  seconds: 1,
  stepsPerSecond: 1,
  left: null,
  created: "2026-02-01T00:00:00.000Z",
  tags: ["best"],
  note: "",
  group: "a",
  notesVersion: 0,
  ...more,
});

/** A run with settings and test data. */
export const runDetail = (
  name: string,
  config: Record<string, unknown>,
  more: Partial<RunLine> = {},
): RunDetail => ({
  ...runLine({ name, seed: Number(config.seed ?? 0), ...more }),
  config: { algorithm: "ppo", env: "e", steps: 9, seed: 0, options: {}, envOptions: {}, ...config },
  metrics: [],
  checkpoints: [],
  episodes: 0,
  transcripts: false,
});
