import { compile, mean, random, scalar, scan, type Tensor, type Tree, treeMap } from "@reins/tensor";
import type { Context, Metrics, Process } from "../algorithm.ts";
import { fail } from "../errors.ts";
import type { Replay } from "../experience.ts";
import type { Policy } from "../policy.ts";
import { draw } from "../replay/draw.ts";
import type { MemoryMaker } from "../replay/replay.ts";
import type { Live } from "../signals/live.ts";
import type { Columns } from "../target.ts";
import { TransitionRollout } from "./transition-rollout.ts";

/** What one update gives back. */
export interface Improved<S extends Tree = Tree> {
  readonly state: S;
  readonly metrics: { readonly [name: string]: Tensor };
  /** How wrong each entry's estimate was, for replays that choose by it. */
  readonly errors?: Tensor;
}

/** What learns from minibatches: weights, target weights, optimisers, in one tree that an update maps to the next. Pure and traced. */
export interface OffPolicyLearner<S extends Tree = Tree> {
  init(key: Tensor): S;
  /** `weight` counts entries that were not drawn uniformly. */
  update(state: S, batch: Columns, weight: Tensor | undefined, key: Tensor): Improved<S>;
  /** The part of the tree that the policy acts with. */
  acting(state: S): Tree;
}

/** The parts of an off-policy method. */
export interface OffPolicyParts<S extends Tree = Tree> {
  readonly name: string;
  /** Acts with exploration when it has a key, without when not. */
  readonly policy: Policy;
  readonly learner: OffPolicyLearner<S>;
  readonly replay: MemoryMaker;
  /** Entries in a minibatch. */
  readonly batch: number;
  /** Rows: environments played at once. */
  readonly envs: number;
  /** Steps of each environment between updates. */
  readonly trainEvery: number;
  /** Updates at a time; a fraction makes one now and then. */
  readonly updates: number | Live;
  /** Environment steps with random actions before the first update. */
  readonly learningStarts: number;
  /** Environment steps in a round, about: settings move and metrics are noted once a round. */
  readonly round?: number;
}

/**
 * Act, remember, learn from what is remembered. An update is one compiled call: it draws a minibatch from the replay's columns where they
 * lie, computes loss and gradient, and moves weights, optimiser and target network in place.
 */
export function offPolicy<S extends Tree>(
  parts: OffPolicyParts<S>,
  context: Context,
): Omit<Process, "settings"> {
  const { name, learner, policy, envs, trainEvery, learningStarts, batch } = parts;
  const whole = { envs, trainEvery, batch } as Record<string, number>;
  for (const n in whole)
    if (!Number.isInteger(whole[n]) || whole[n] < 1)
      fail(name, `${n} is ${whole[n]}; it must be a whole number from 1.`);

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
    seed: context.seed,
  });
  const replay = parts.replay(rollout.columns, batch);
  const stream = context.plan.place(name, rollout, { likelihood: policy.likelihood, corrects: true });

  // Where chance alone draws the minibatches, all updates of a turn are one call.
  const fixed = typeof parts.updates === "number" ? parts.updates : parts.updates.setting;
  const repeats =
    typeof fixed === "number" && Number.isInteger(fixed) && !replay.prepare ? Math.max(1, fixed) : 1;
  const counters = { updates: scalar(0, "i32"), owed: 0 };
  const compiled = compile(
    (s: S, columns: Columns, k: Tensor, c: Tensor): Tree => {
      const once = (now: S, count: Tensor) =>
        improve(learner, replay, columns, batch, now, random.foldKey(k, count));
      if (repeats === 1) return once(s, c) as unknown as Tree;
      const body = (carry: { state: S; count: Tensor }) => {
        const { state: next, metrics } = once(carry.state, carry.count);
        return [{ state: next, count: carry.count.add(1) }, metrics] as const;
      };
      const { carry, ys } = scan(body, { state: s, count: c }, {}, { length: repeats });
      return { state: carry.state, metrics: treeMap((t) => mean(t), ys as Tree) };
    },
    { name: `${name} update`, donate: [0] },
  );
  const bound = compiled.bind(state, replay.columns, learnKey, counters.updates);
  const { metrics: measured, errors } = bound.result as unknown as Improved<S>;
  const names = Object.keys(measured);
  const sums = new Float64Array(names.length);
  const metrics: Metrics = {};
  const turns = Math.max(1, Math.round((parts.round ?? 256) / (envs * trainEvery)));
  let learnt = 0;

  const learn = () => {
    if (rollout.steps < learningStarts || replay.size.data[0] === 0) return;
    counters.owed += typeof parts.updates === "number" ? parts.updates : parts.updates.value;
    for (; counters.owed >= repeats; counters.owed -= repeats) {
      replay.prepare?.();
      bound.run();
      if (errors) replay.learned?.(errors);
      counters.updates.data[0] += repeats;
      for (let i = 0; i < sums.length; i++) sums[i] += measured[names[i]].data[0];
      learnt++;
    }
    stream.publish();
  };
  const report = (): Metrics => {
    for (let i = 0; i < names.length && learnt > 0; i++) {
      metrics[names[i]] = sums[i] / learnt;
      context.statistics.record(names[i], metrics[names[i]]);
    }
    sums.fill(0);
    learnt = 0;
    metrics["replay/size"] = replay.size.data[0];
    metrics.updates = counters.updates.data[0];
    rollout.meter.report(metrics, context.statistics);
    return metrics;
  };
  /** Goes on synchronously for as long as batches are at hand. */
  const play = (from: number): Metrics | Promise<Metrics> => {
    for (let turn = from; turn < turns; turn++) {
      const steps = stream.next();
      if (steps instanceof Promise)
        return steps.then((b) => {
          replay.add(b);
          learn();
          return play(turn + 1);
        });
      replay.add(steps);
      learn();
    }
    return report();
  };

  return {
    get steps() {
      return rollout.steps;
    },
    step: () => play(0),
    parts: { state, rollout, replay, counters },
    acting: { policy, weights },
    close: () => rollout.env.close?.(),
  };
}

/** One update, traced: draw a minibatch, learn from it. */
function improve<S extends Tree>(
  learner: OffPolicyLearner<S>,
  replay: Replay,
  columns: Columns,
  count: number,
  state: S,
  key: Tensor,
): Improved<S> {
  const [drawKey, learnKey] = random.splitKey(key);
  const drawn = draw(replay, columns, count, drawKey);
  return learner.update(state, drawn.columns, drawn.weight, learnKey);
}
