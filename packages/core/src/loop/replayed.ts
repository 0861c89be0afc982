import { random, type Tree } from "@reins/tensor";
import { type Context, type Metrics, metricsPart, type Process } from "../algorithm.ts";
import type { Replay } from "../experience.ts";
import type { Policy } from "../policy.ts";
import { ReplayUpdates, type UpdateParts } from "./replay-updates.ts";

/** The parts of an off-policy method that never acts while it learns. */
export interface ReplayedParts<S extends Tree = Tree> extends UpdateParts<S> {
  /** What was recorded; see `recorded`. */
  readonly replay: Replay;
  /** What acts with the learned weights. */
  readonly policy: Policy;
}

/** An off-policy learner on recorded transitions alone. Its steps are the entries it has learned from. */
export function replayed<S extends Tree>(
  parts: ReplayedParts<S>,
  context: Context,
): Omit<Process, "settings"> {
  const { learner, replay, batch, policy } = parts;
  const [initKey, learnKey] = random.splitKey(context.key);
  const state = learner.init(initKey);
  const updates = new ReplayUpdates(parts, replay, state, learnKey);
  const metrics: Metrics = {};
  return {
    get steps() {
      return updates.count * batch;
    },
    step() {
      updates.turn();
      updates.report(metrics, context.statistics);
      return metrics;
    },
    parts: { state, updates, metrics: metricsPart(metrics) },
    acting: { policy, weights: learner.acting(state) },
  };
}
