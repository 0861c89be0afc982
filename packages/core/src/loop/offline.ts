import { random, Tensor, type Tree } from "@reins/tensor";
import { type AlgorithmContext, type Metrics, metricsPart, type Started } from "../algorithm.ts";
import { fail } from "../errors.ts";
import type { Experience } from "../experience.ts";
import { requireInline } from "../plan.ts";
import type { ActingPolicy, ScoringPolicy } from "../policy.ts";
import type { Space } from "../space.ts";
import { ReplayUpdates, type UpdateParts } from "./replay-updates.ts";

/** The parts of an offline method. */
export interface OfflineParts<S extends Tree = Tree> extends UpdateParts<S> {
  /** The recorded experience; see `dataset` and `mixed`. */
  readonly experience: Experience;
  /** The policy that acts with the learned weights. */
  readonly policy?: ActingPolicy | ScoringPolicy;
}

/** Sample, update, repeat: a dataset replaces the rollout. Its steps are the entries it was trained on. */
export function offline<S extends Tree>(parts: OfflineParts<S>, context: AlgorithmContext): Started {
  const { name, learner, experience, batch, policy } = parts;
  requireInline(context.plan, name);
  if (!Number.isInteger(batch) || batch < 1)
    fail(name, `batch is ${batch}; it must be a whole number from 1.`);
  if (typeof parts.updates === "number" && !(parts.updates > 0))
    fail(name, `updates is ${parts.updates}; it must be above 0.`);
  if (learner.reads?.includes("action")) checkActions(name, context.spec.action, experience.columns.action);
  const [initKey, learnKey] = random.splitKey(context.key);
  const state = learner.init(initKey);
  const updates = new ReplayUpdates(parts, experience, state, learnKey);
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
    // The recorded data does not change; the random state of a mixture does.
    parts: { state, updates, experience, metrics: metricsPart(metrics) },
    ...(policy ? { acting: { policy, weights: learner.acting(state) } } : {}),
  };
}

const countable: readonly Space["kind"][] = ["discrete", "multiDiscrete", "multiBinary"];

/** Rejects choices that are recorded as floating-point numbers: an index is a whole number. */
function checkActions(name: string, { kind }: Space, actions: unknown): void {
  if (actions instanceof Tensor && countable.includes(kind) && actions.dtype !== "i32")
    fail(
      name,
      `column \`action\` is ${actions.dtype}; ${kind} actions are i32. Pass tensor(Int32Array.from(actions)).`,
    );
}
