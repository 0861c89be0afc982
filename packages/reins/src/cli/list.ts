import type { Command } from "./command.ts";

/** A command that is loaded when it is asked for: starting must not pay for what is not used. */
interface Entry {
  readonly about: string;
  load(): Promise<{ readonly command: Command }>;
}

/** All commands by name. */
export const list: { readonly [name: string]: Entry } = {
  init: { about: "make a project to begin with", load: () => import("../commands/init.ts") },
  train: { about: "train an agent", load: () => import("../commands/train.ts") },
  resume: { about: "go on with a run that was stopped", load: () => import("../commands/resume.ts") },
  eval: { about: "measure a trained agent over fresh episodes", load: () => import("../commands/eval.ts") },
  watch: { about: "see an agent play, in the terminal", load: () => import("../commands/watch.ts") },
  transcript: {
    about: "print a text of a run in words, token by token if you like",
    load: () => import("../commands/transcript.ts"),
  },
  record: {
    about: "write down conversations of a world's players, to learn from",
    load: () => import("../commands/record.ts"),
  },
  serve: {
    about: "let other programs talk to the model of a run in words",
    load: () => import("../commands/serve.ts"),
  },
  diagnose: {
    about: "say what is probably wrong with a run",
    load: () => import("../commands/diagnose.ts"),
  },
  export: {
    about: "write an agent for programs without Reins: ONNX, a module, weights",
    load: () => import("../commands/export.ts"),
  },
  control: { about: "tell a run that goes on what to do", load: () => import("../commands/control.ts") },
  studio: {
    about: "a page on your runs: watch, compare, replay, train in the browser",
    load: () => import("../commands/studio.ts"),
  },
  runs: { about: "list, compare and plot runs", load: () => import("../commands/runs.ts") },
  scores: { about: "fill a table of scores over several seeds", load: () => import("../commands/scores.ts") },
  tune: { about: "search for settings, and test what was found", load: () => import("../commands/tune.ts") },
  envs: { about: "list environments, or describe one", load: () => import("../commands/envs.ts") },
  algorithms: {
    about: "list algorithms, or describe one with all its settings",
    load: () => import("../commands/algorithms.ts"),
  },
  metrics: { about: "what the numbers of a run mean", load: () => import("../commands/metrics.ts") },
  "check-env": {
    about: "test whether an environment keeps its contract",
    load: () => import("../commands/check-env.ts"),
  },
  "serve-env": {
    about: "play an environment for another program, such as Gymnasium",
    load: () => import("../commands/serve-env.ts"),
  },
  importmap: {
    about: "the import map of a page without a bundler",
    load: () => import("../commands/importmap.ts"),
  },
  recipes: {
    about: "published systems beside their baselines, measured",
    load: () => import("../commands/recipes.ts"),
  },
  bench: { about: "measure speed", load: () => import("../commands/bench.ts") },
};
