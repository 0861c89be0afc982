import { download, random, scalar, type Tensor, type Tree } from "@reins/tensor";
import {
  type AlgorithmContext,
  liveMetrics,
  type Metrics,
  type RoundResult,
  type Started,
} from "../algorithm.ts";
import { fail } from "../errors.ts";
import { copyTree } from "../forms/copy.ts";
import { checkPolicy } from "../loss.ts";
import { nameParts, type PartNames } from "../part-names.ts";
import { admit, inline, planRequirements, whenReady } from "../plan.ts";
import { type Policy, requireActingPolicy } from "../policy.ts";
import type { Statistic } from "../statistics.ts";
import { stream } from "../stream.ts";
import type { Auxiliary } from "./auxiliary.ts";
import { compiledRound, gridRound, playedOf, type Round } from "./grid-round.ts";
import { type GridUpdate, targetsOf } from "./grid-update.ts";
import { learningNames, passesOf } from "./learn-from.ts";
import { type GridBatch, StepRollout } from "./step-rollout.ts";

/** The parts of an on-policy method. */
export interface OnPolicyParts extends GridUpdate {
  readonly name: string;
  readonly policy: Policy;
  /** Number of parallel environments. */
  readonly envs: number;
  /** Rollout length: steps of each environment between updates. */
  readonly steps: number;
  /** Updates between weight syncs to the actors (default 1). Above 1, a loss or a target must correct for stale weights. */
  readonly publishEvery?: number;
  /** False if computing rounds of several runs in one call would change their last bits; each then has its own call. */
  readonly batchable?: boolean;
  /** An auxiliary learner, called after each round. */
  beside?(round: Round): Auxiliary;
}

/**
 * Collect a grid of steps, compute targets, train on shuffled minibatches, repeat. The whole update is one compiled call; in a traced
 * environment the whole round is.
 */
export function onPolicy(parts: OnPolicyParts, context: AlgorithmContext): Started {
  const { name, envs, steps, loss, publishEvery = 1 } = parts;
  const policy = requireActingPolicy(checkPolicy(loss, parts.policy, name), name);
  checkSizes(parts, policy);
  const demands = planRequirements(policy, loss.corrects);
  admit(context.plan, name, demands);

  const [initKey, actKey, learnKey] = random.splitKey(context.key, 3);
  const weights = policy.init(initKey);
  const optimiser = parts.optimiser.init(weights);
  const seed = stream(context.seed, "environments");
  // Actors have separate weights only if these can be stale.
  const acting = publishEvery > 1 ? policy.init(initKey) : weights;
  const env = context.env(envs);
  const rollout = new StepRollout({ env, policy, weights: acting, steps, key: actKey, seed });
  const placed = context.plan.place(name, rollout, demands);

  const updates = scalar(0, "i32");
  const round = { parts, policy, rollout, learned: { weights, optimiser }, learnKey, updates };
  // In a traced environment with nothing remote, rollout and update are one function.
  const whole = context.plan === inline && acting === weights ? compiledRound(round, actKey) : undefined;
  const update = whole ? undefined : gridRound(round);
  const beside = parts.beside?.(round);
  let report: Report | undefined;

  const own: Tree = { columns: rollout.columns, start: rollout.startState, upcoming: rollout.upcoming };
  const learn = (batch: GridBatch) => {
    // A plan may return a batch that was made remotely: the update reads it from this rollout's columns.
    if (batch.columns !== rollout.columns)
      copyTree(own, { columns: batch.columns, start: batch.start, upcoming: batch.upcoming });
    const updated = update?.();
    return whenReady(download({ learned: round.learned, metrics: updated ?? {} }), () => note(updated));
  };
  /** What the host does after an update. */
  const note = (updated: RoundResult["metrics"] | undefined) => {
    updates.data[0]++;
    beside?.learn();
    if (acting !== weights && updates.data[0] % publishEvery === 0) copyTree(acting, weights);
    placed.publish();
    const measured = updated ?? whole?.metrics ?? {};
    if (report?.of !== measured) report = reportOf(measured, rollout, context, beside?.metrics);
    for (const { tensor, statistic } of report.noted) statistic.noteFirst(tensor.data);
    rollout.meter.record(context.statistics);
    return report.metrics;
  };
  return {
    get steps() {
      return rollout.steps;
    },
    step() {
      if (!whole) return whenReady(placed.next(), learn);
      whole.run();
      const { standing, observed } = rollout;
      const changed: Tree = { learned: round.learned, standing, observed, metrics: whole.metrics };
      return whenReady(download(changed), () => learn(rollout.played()));
    },
    parts: {
      weights,
      optimiser,
      rollout,
      updates,
      ...(acting === weights ? {} : { acting }),
      ...beside?.parts,
    },
    acting: { policy, weights },
    ...(whole ? { whole } : {}),
    inspect: () => ({
      meter: rollout.meter,
      passes: passesOf(parts) * parts.minibatches,
      optimiser,
      ...(rollout.filled
        ? {
            columns: targetsOf(parts, weights, { policy, ...playedOf(rollout) }),
          }
        : {}),
    }),
    close: () => rollout.env.close?.(),
  };
}

function checkSizes({ name, envs, steps, minibatches }: OnPolicyParts, policy: Policy): void {
  if (policy.memory && envs % minibatches !== 0)
    fail(
      name,
      `${envs} environments cannot be cut into ${minibatches} minibatches of whole sequences. Make envs a multiple of ${minibatches}.`,
    );
  if ((envs * steps) % minibatches !== 0)
    fail(
      name,
      `${envs} environments × ${steps} steps cannot be cut into ${minibatches} equal minibatches. ${divisors(envs * steps, minibatches)}`,
    );
}

/** The divisors of the number of steps that are nearest to the requested number of minibatches. */
function divisors(steps: number, wanted: number): string {
  let [fewer, more] = [wanted, wanted];
  while (steps % fewer) fewer--;
  while (more < steps && steps % more) more++;
  const near = more <= steps && steps % more === 0 ? [fewer, more] : [fewer];
  return `Set minibatches to ${near.join(" or ")}, or make envs × steps a multiple of ${wanted}.`;
}

/** Metrics of a round, read in place. */
type Report = {
  readonly of: RoundResult["metrics"];
  readonly metrics: Metrics;
  readonly noted: readonly { readonly tensor: Tensor; readonly statistic: Statistic }[];
};

function reportOf(
  measured: RoundResult["metrics"],
  { meter }: StepRollout,
  context: AlgorithmContext,
  besides: Auxiliary["metrics"] = {},
): Report {
  const entries = Object.entries({ ...measured, ...besides });
  return {
    of: measured,
    metrics: liveMetrics({
      ...Object.fromEntries(entries.map(([name, tensor]) => [name, () => tensor.data[0]])),
      ...meter.live(),
    }),
    noted: entries.map(([name, tensor]) => ({ tensor, statistic: context.statistics.of(name) })),
  };
}

const names: PartNames<OnPolicyParts> = {
  ...learningNames,
  name: true,
  policy: true,
  target: true,
  rescore: true,
  learn: true,
  envs: true,
  steps: true,
  publishEvery: true,
  batchable: true,
  beside: true,
};
nameParts(onPolicy, names);
