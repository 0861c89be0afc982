import type { Command } from "./command.ts";

/** A command, loaded on demand to keep startup fast. */
interface Entry {
  readonly about: string;
  load(): Promise<{ readonly command: Command }>;
}

/** All commands by name. */
export const list: { readonly [name: string]: Entry } = {
  init: { about: "create a new project", load: () => import("../commands/init.ts") },
  train: { about: "train an agent", load: () => import("../commands/train.ts") },
  resume: { about: "continue a stopped run", load: () => import("../commands/resume.ts") },
  data: { about: "check files of training examples", load: () => import("../commands/data.ts") },
  eval: { about: "evaluate a trained agent on new episodes", load: () => import("../commands/eval.ts") },
  watch: { about: "watch an agent in the terminal", load: () => import("../commands/watch.ts") },
  transcript: {
    about: "print a transcript of a language run, optionally token by token",
    load: () => import("../commands/transcript.ts"),
  },
  record: {
    about: "record conversations of scripted players as training data",
    load: () => import("../commands/record.ts"),
  },
  serve: {
    about: "serve the language model of a run or folder through the OpenAI API",
    load: () => import("../commands/serve.ts"),
  },
  chat: { about: "talk to a language model in the terminal", load: () => import("../commands/chat.ts") },
  generate: {
    about: "generate replies to a file of prompts",
    load: () => import("../commands/generate.ts"),
  },
  merge: {
    about: "merge language models or adapters into a new folder",
    load: () => import("../commands/merge.ts"),
  },
  diagnose: {
    about: "find likely problems of a run",
    load: () => import("../commands/diagnose.ts"),
  },
  export: {
    about: "export an agent as ONNX, a JavaScript module or weights",
    load: () => import("../commands/export.ts"),
  },
  control: { about: "pause, stop or change a run in progress", load: () => import("../commands/control.ts") },
  studio: {
    about: "web page to watch, compare, replay and train runs",
    load: () => import("../commands/studio.ts"),
  },
  runs: { about: "list, compare and plot runs", load: () => import("../commands/runs.ts") },
  scores: {
    about: "train over several seeds and tabulate the scores",
    load: () => import("../commands/scores.ts"),
  },
  tune: {
    about: "tune hyperparameters and test the best on new seeds",
    load: () => import("../commands/tune.ts"),
  },
  envs: { about: "list environments, or describe one", load: () => import("../commands/envs.ts") },
  algorithms: {
    about: "list algorithms, or describe one and its settings",
    load: () => import("../commands/algorithms.ts"),
  },
  metrics: { about: "explain the metrics of a run", load: () => import("../commands/metrics.ts") },
  "check-env": {
    about: "check an environment against the API contract",
    load: () => import("../commands/check-env.ts"),
  },
  "serve-env": {
    about: "serve an environment to another program, such as Gymnasium",
    load: () => import("../commands/serve-env.ts"),
  },
  importmap: {
    about: "print an import map for pages without a bundler",
    load: () => import("../commands/importmap.ts"),
  },
  recipes: {
    about: "compare published methods with their baselines",
    load: () => import("../commands/recipes.ts"),
  },
  bench: { about: "measure speed", load: () => import("../commands/bench.ts") },
};
