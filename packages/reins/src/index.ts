/**
 * `reins`: the names that most programs need. Everything else is in `reins/core` and its subpaths (to write algorithms), `reins/envs`,
 * `reins/algorithms`, `reins/tensor`, `reins/nn`, `reins/language` and `reins/recipes`, each with every name of its package.
 *
 *     import { train } from "reins";
 *     const agent = await train({ algorithm: "ppo", env: "CartPole-v1", seed: 1 });
 */

// The most common algorithms; `algorithms` is the table of all by name, as `train` and the command line use them, and `reins/algorithms` exports each.
export {
  a2c,
  adaptiveDqn,
  adaptivePpo,
  algorithms,
  cispo,
  dapo,
  dqn,
  drGrpo,
  epsilonGreedy,
  grpo,
  gspo,
  linucb,
  planner,
  ppo,
  rainbow,
  registerAlgorithm,
  reinforce,
  reinforcePlusPlus,
  rejection,
  remax,
  rloo,
  sac,
  sft,
  tabularQ,
  td3,
  thompson,
  ucb,
} from "@reins/algorithms";
// Spaces, types that programs name, and `define` for custom algorithms.
export {
  type Algorithm,
  type AsyncEnv,
  box,
  type Controller,
  choice,
  content,
  define,
  dict,
  discrete,
  type Env,
  type EnvSpec,
  type Episode,
  type EvaluationResult,
  fail,
  graph,
  image,
  list,
  type Metrics,
  multiBinary,
  multiDiscrete,
  type Policy,
  phases,
  ReinsError,
  Run,
  type RunOptions,
  type Schedule,
  type Setting,
  type Signal,
  type Space,
  type Step,
  setting,
  simplex,
  size,
  text,
  tuple,
  type Value,
  type VectorEnv,
} from "@reins/core";
export { diagnose, type Finding, reportFindings } from "@reins/core/diagnostics";
export type { EvaluateOptions } from "@reins/core/evaluations";
/** Makers of signals: schedules (`linear`, `cosine`, …), controllers (`pi`, `dual`, …) and columns. */
export * as signals from "@reins/core/signals";
/** Sources of problems: endless generators, curricula, allocation of samples by uncertainty. */
export * as tasks from "@reins/core/tasks";
export { checkEnv, describeEnv, ids, type MakeOptions, make, makeSingle, register } from "@reins/envs";
/** Layers, models, distributions and optimisers. A namespace, because layers and operations share names (`attention`, `conv2d`, `layerNorm`). */
export * as nn from "@reins/nn";
// Tensors, for networks and losses.
export {
  compile,
  concat,
  crossEntropy,
  exp,
  grad,
  leaves,
  log,
  matmul,
  mean,
  mseLoss,
  ones,
  random,
  relu,
  setBackend,
  sin,
  softmax,
  sum,
  Tensor,
  type Tree,
  tanh,
  tensor,
  valueAndGradient,
  zeros,
} from "@reins/tensor";
export { type Agent, agentOf } from "./agents/agent.ts";
export { loadAgent } from "./agents/load-agent.ts";
export { evaluate } from "./evaluate.ts";
export * from "./former-names.ts";
export { type LoadOptions, load, resume } from "./load.ts";
export type { EnvLike, EnvOptions } from "./places/source.ts";
export { sourceOf } from "./places/source-of.ts";
export type { Trainable } from "./places/trainable.ts";
export { type SeedsOptions, type TrainOptions, train } from "./train.ts";
export type { Callbacks } from "./training/callbacks.ts";
export type { Progress } from "./training/progress.ts";
export type { Returns, Trained } from "./training/result.ts";
export type { TrainedSeeds } from "./training/seeds.ts";
