/**
 * `reins`: one import for all of Reins. Tensors, the nouns of learning, environments and algorithms are exported by name; networks are
 * in the namespace `nn`, because layers and operations share names (`attention`, `conv2d`, `layerNorm`).
 *
 *     import { train } from "reins";
 *     const agent = await train({ algorithm: "ppo", env: "CartPole-v1", seed: 1 });
 */

export * from "@reins/algorithms";
export type { Finding, Outcome, Recorder, Rule } from "@reins/core";
export * from "@reins/core";
export * as core from "@reins/core";
export * from "@reins/envs";
export * as envs from "@reins/envs";
export * as nn from "@reins/nn";
export * from "@reins/tensor";
// Names that two packages have. Here they are the first's; the second's are in the namespaces `core` and `envs`.
export { windows } from "@reins/tensor";
export { type Agent, agentOf } from "./agent.ts";
export { evaluate } from "./evaluate.ts";
export { type LoadOptions, load, resume } from "./load.ts";
export { type EnvLike, type EnvOptions, sourceOf } from "./places/source.ts";
export type { Trainable } from "./places/trainable.ts";
export { type TrainOptions, train } from "./train.ts";
export type { CarryOnOptions } from "./training/carry-on.ts";
export type { Progress } from "./training/progress.ts";
export type { Returns, Trained } from "./training/result.ts";
