/** Losses as data, and their evolution. */

export { type EvolutionOptions, type Individual, regularisedEvolution } from "./aging-evolution.ts";
export { fingerprint } from "./fingerprint.ts";
export { graphDqn } from "./graph-dqn.ts";
export { doubleDqnLoss, dqnClippedLoss, dqnLoss, dqnRegLoss } from "./known-losses.ts";
export { applyLoss, checkLoss, type LossGraph, type LossNode, prune, showLoss } from "./loss-graph.ts";
export type { LossInputs } from "./loss-inputs.ts";
export { mutateLoss } from "./mutate-loss.ts";
