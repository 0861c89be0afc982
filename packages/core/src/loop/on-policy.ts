import { random, scalar, type Tensor, type Tree } from "@reins/tensor";
import { type Context, liveMetrics, type Process } from "../algorithm.ts";
import { fail } from "../errors.ts";
import { copyTree } from "../forms/copy.ts";
import { admitPolicy } from "../loss.ts";
import { admit, demandsOf, inline, whenReady } from "../plan.ts";
import { type Policy, requireActing } from "../policy.ts";
import { stream } from "../stream.ts";
import { gridRound, wholeRound } from "./grid-round.ts";
import { type GridUpdate, targetsOf } from "./grid-update.ts";
import { type GridBatch, StepRollout } from "./step-rollout.ts";

/** The parts of an on-policy method. */
export interface OnPolicyParts extends GridUpdate {
  readonly name: string;
  readonly policy: Policy;
  /** Rows: environments played at once. */
  readonly envs: number;
  /** Steps of each environment between updates. */
  readonly steps: number;
}

/**
 * Gather a grid of steps, compute targets, learn from shuffled minibatches, repeat. The whole update is one compiled call; in a traced
 * environment the whole round is.
 */
export function onPolicy(parts: OnPolicyParts, context: Context): Omit<Process, "settings"> {
  const { name, envs, steps, loss } = parts;
  const policy = requireActing(admitPolicy(loss, parts.policy, name), name);
  checkSizes(parts, policy);
  const demands = demandsOf(policy, loss.corrects);
  admit(context.plan, name, demands);

  const [initKey, actKey, learnKey] = random.splitKey(context.key, 3);
  const weights = policy.init(initKey);
  const optimiser = parts.optimiser.init(weights);
  const seed = stream(context.seed, "environments");
  const rollout = new StepRollout({ env: context.env(envs), policy, weights, steps, key: actKey, seed });
  const placed = context.plan.place(name, rollout, demands);

  const updates = scalar(0, "i32");
  const round = { parts, policy, rollout, learned: { weights, optimiser }, learnKey, updates };
  // Where the world is traced and nothing runs elsewhere, playing and learning are one call.
  const whole = context.plan === inline ? wholeRound(round, actKey) : undefined;
  const update = whole ?? gridRound(round);
  const measured: Record<string, Tensor> = update.result.metrics;
  const noted = Object.keys(measured).map((n) => ({
    tensor: measured[n],
    statistic: context.statistics.of(n),
  }));
  const metrics = liveMetrics({
    ...Object.fromEntries(Object.keys(measured).map((n) => [n, () => measured[n].data[0]])),
    ...rollout.meter.live(),
  });

  const own: Tree = { columns: rollout.columns, start: rollout.startState, upcoming: rollout.upcoming };
  const learn = (batch: GridBatch) => {
    // A plan may give a batch that was made elsewhere: the update reads it where this rollout's lies.
    if (batch.columns !== rollout.columns)
      copyTree(own, { columns: batch.columns, start: batch.start, upcoming: batch.upcoming });
    if (!whole) update.run();
    updates.data[0]++;
    placed.publish();
    for (let i = 0; i < noted.length; i++) noted[i].statistic.noteFirst(noted[i].tensor.data);
    rollout.meter.record(context.statistics);
    return metrics;
  };
  return {
    get steps() {
      return rollout.steps;
    },
    step() {
      if (!whole) return whenReady(placed.next(), learn);
      whole.run();
      return learn(rollout.played());
    },
    parts: { weights, optimiser, rollout, updates },
    acting: { policy, weights },
    inspect: () => ({
      meter: rollout.meter,
      passes: parts.epochs * parts.minibatches,
      optimiser,
      ...(rollout.filled
        ? { columns: targetsOf(parts, policy, weights, rollout.columns, rollout.upcoming) }
        : {}),
    }),
    close: () => rollout.env.close?.(),
  };
}

function checkSizes({ name, envs, steps, minibatches }: OnPolicyParts, policy: Policy): void {
  if (policy.memory && envs % minibatches !== 0)
    fail(name, `${envs} environments cannot be cut into ${minibatches} minibatches of whole sequences.`);
  if ((envs * steps) % minibatches !== 0)
    fail(name, `${envs} environments × ${steps} steps cannot be cut into ${minibatches} equal minibatches.`);
}
