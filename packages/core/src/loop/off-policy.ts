import { random, slice, Tensor, type Tree, treeMap } from "@reins/tensor";
import { type AlgorithmContext, type Metrics, metricsPart, type Started } from "../algorithm.ts";
import type { Batch, Columns } from "../batch.ts";
import { fail } from "../errors.ts";
import type { ReplayBuffer } from "../experience.ts";
import { nameParts, type PartNames } from "../part-names.ts";
import { planRequirements } from "../plan.ts";
import { stream } from "../stream.ts";
import type { OffPolicyParts } from "./off-policy-parts.ts";
import { ReplayUpdates } from "./replay-updates.ts";
import { TransitionRollout } from "./transition-rollout.ts";

export type { OffPolicyParts } from "./off-policy-parts.ts";

/** Act, store, learn from the replay buffer; a round is a few hundred steps. */
export function offPolicy<S extends Tree>(parts: OffPolicyParts<S>, context: AlgorithmContext): Started {
  const { name, learner, policy, envs, trainEvery, learningStarts, batch, round = 256 } = parts;
  for (const [option, value] of Object.entries({ envs, trainEvery, batch }))
    if (!Number.isInteger(value) || value < 1)
      fail(name, `${option} is ${value}; it must be a whole number from 1.`);

  const [initKey, actKey, learnKey] = random.splitKey(context.key, 3);
  const state = learner.init(initKey);
  const weights = learner.acting(state);
  const rollout = new TransitionRollout({
    env: context.env(envs),
    policy,
    weights,
    steps: trainEvery,
    randomSteps: learningStarts,
    key: actKey,
    seed: stream(context.seed, "environments"),
  });
  const replay = parts.replay(rollout.columns, batch);
  const updates = new ReplayUpdates(parts, replay, state, learnKey);
  // Off-policy: stale weights are fine, so any plan is accepted.
  const placed = context.plan.place(name, rollout, planRequirements(policy, true));

  const turns = Math.max(1, Math.round(round / (envs * trainEvery)));
  const metrics: Metrics = {};
  const learn = (steps: Batch) => {
    replay.add(steps);
    if (rollout.steps < learningStarts) return;
    updates.turn();
    placed.publish();
  };
  /** Continues the round from this turn on; synchronously as long as steps are available. */
  const play = (from: number): Metrics | Promise<Metrics> => {
    for (let turn = from; turn < turns; turn++) {
      const steps = placed.next();
      if (steps instanceof Promise)
        return steps.then((s) => {
          learn(s);
          return play(turn + 1);
        });
      learn(steps);
    }
    updates.report(metrics, context.statistics);
    rollout.meter.report(metrics, context.statistics);
    return metrics;
  };

  return {
    get steps() {
      return rollout.steps;
    },
    step: () => play(0),
    parts: { state, rollout, replay, updates, metrics: metricsPart(metrics) },
    acting: { policy, weights },
    inspect: () => ({ meter: rollout.meter, columns: remembered(replay) }),
    close: () => rollout.env.close?.(),
  };
}

/** A sample of the replay buffer, [steps, …], if entries are single steps; undefined if they are windows. */
function remembered({ columns: { observation, reward, mask }, size }: ReplayBuffer): Columns | undefined {
  // A diagnosis needs no more, and images are large.
  const some = Math.min(size.data[0], 4096);
  if (some === 0 || !(reward instanceof Tensor) || reward.rank !== 1) return undefined;
  const columns: Columns = { observation, reward, ...(mask ? { mask } : {}) };
  return treeMap((t) => slice(t, [[0, some]]), columns);
}

const names: PartNames<OffPolicyParts> = {
  name: true,
  policy: true,
  learner: true,
  replay: true,
  batch: true,
  envs: true,
  trainEvery: true,
  updates: true,
  learningStarts: true,
  round: true,
};
nameParts(offPolicy, names);
