import { type Bound, compile, random, scalar, type Tensor, type Tree } from "@reins/tensor";
import type { Context, Metrics, Process } from "../algorithm.ts";
import { type Batch, pack } from "../batch.ts";
import type { Env } from "../env.ts";
import type { Episode, Maker } from "../episode.ts";
import { fail } from "../errors.ts";
import { copyTree } from "../forms/copy.ts";
import { environment, type Judge, type Verdict } from "../judge.ts";
import type { Learned, Learnt } from "../learner.ts";
import { admitPolicy } from "../loss.ts";
import { admit, whenReady } from "../plan.ts";
import type { Policy } from "../policy.ts";
import type { Rollout } from "../rollout.ts";
import type { Columns } from "../target.ts";
import { fixed, type Task } from "../task.ts";
import { inRows, inSteps } from "./episode-columns.ts";
import { EpisodeRollout, type EpisodeRolloutOptions } from "./episode-rollout.ts";
import { type Learning, learnFrom } from "./learn-from.ts";
import { Meter } from "./meter.ts";

/** Advantages and whatever else the loss reads, one number a step, from judged episodes. */
export type EpisodeTarget = (
  batch: Batch,
  rewards: Float64Array,
  episodes: readonly Episode[],
) => { readonly [column: string]: ArrayLike<number> };

/** The parts of a method that learns from whole, judged episodes. */
export interface EpisodicParts extends Learning {
  readonly name: string;
  readonly policy: Policy<never, never> | Policy;
  /** One environment for each episode played at the same time. */
  readonly envs?: readonly Env[];
  /** Plays in another way than each problem from its start to its end: trees, rewritten transcripts, several policies. */
  readonly rollout?: (options: Omit<EpisodeRolloutOptions, "envs">) => EpisodeSource;
  readonly task?: Task;
  readonly judge?: Judge;
  readonly target: EpisodeTarget;
  /** Whose steps are learned from: the policy's own by default, a teacher's in imitation. */
  readonly from?: Maker;
}

/** A rollout that counts its steps. */
export type EpisodeSource = Rollout<readonly Episode[]> & { readonly steps: number };

/** Play problems to their end, judge, compare, learn. Batches are padded, so that few shapes are compiled. */
export function episodic(parts: EpisodicParts, context: Context): Omit<Process, "settings"> {
  const { name, envs, loss, target } = parts;
  const policy = parts.policy as Policy;
  const task = parts.task ?? context.task ?? fixed({ plays: envs?.length ?? 1 });
  const judge = parts.judge ?? environment;
  const demands = { likelihood: policy.likelihood, corrects: loss.corrects ?? false };
  admitPolicy(loss, policy.likelihood, name);
  admit(context.plan, name, demands);

  const [initKey, actKey, learnKey] = random.splitKey(context.key, 3);
  const weights = policy.init(initKey);
  const optimiser = parts.optimiser.init(weights);
  const updates = scalar(0, "i32");
  const { statistics } = context;
  const playing = { policy, weights, task, statistics, key: actKey, version: () => updates.data[0] };
  const rollout: EpisodeSource = parts.rollout
    ? parts.rollout(playing)
    : new EpisodeRollout({
        ...playing,
        envs: envs ?? fail(name, "needs environments or a rollout to play with."),
      });
  const stream = context.plan.place(name, rollout, demands);
  const meter = new Meter();
  const metrics: Metrics = {};

  const update = compile(
    (learned: Learned, columns: Columns, start: Tree, key: Tensor, count: Tensor) =>
      learnFrom(parts, policy, learned, columns, start, random.foldKey(key, count)),
    { name: `${name} update`, donate: [0] },
  );
  /** One bound update for each shape. */
  const bound = new Map<string, { columns: Columns; call: Bound<Learnt> }>();
  const learn = (episodes: readonly Episode[], verdicts: readonly Verdict[]) => {
    const rewards = Float64Array.from(verdicts, totalOf);
    const batch = pack(episodes);
    const arrange = policy.memory ? inRows : inSteps;
    const { columns, shape } = arrange(batch, target(batch, rewards, episodes), parts.from ?? "policy");
    let own = bound.get(shape);
    if (!own) {
      const start = policy.memory ? (policy.start?.((columns.alive as Tensor).shape[1]) ?? {}) : {};
      const call = update.bind({ weights, optimiser } as never, columns as never, start, learnKey, updates);
      bound.set(shape, (own = { columns, call }));
    } else copyTree(own.columns as Tree, columns as Tree);
    own.call.run();
    updates.data[0]++;
    stream.publish();
    episodes.forEach((e, i) => {
      // Where no environment paid anything, the judge's word is the return.
      const total = e.return.length ? e.return.reduce((a, b) => a + b, 0) : rewards[i];
      meter.add(total, (e.columns.by as Tensor).size);
      if (e.task !== undefined) statistics.record("reward", rewards[i], e.task);
    });
    task.observe?.(episodes);
    for (const [n, t] of Object.entries(own.call.result.metrics)) {
      metrics[n] = t.data[0];
      statistics.record(n, metrics[n]);
    }
    metrics["reward/mean"] = rewards.reduce((a, b) => a + b, 0) / rewards.length;
    statistics.record("reward/mean", metrics["reward/mean"]);
    meter.report(metrics, statistics);
    return metrics;
  };

  return {
    get steps() {
      return rollout.steps;
    },
    step: () =>
      whenReady(stream.next(), (episodes) =>
        whenReady(judge(episodes, { statistics }), (verdicts) => learn(episodes, verdicts)),
      ),
    // The run saves its own task; one that came with the algorithm is saved here.
    parts: { weights, optimiser, rollout, updates, meter, ...(parts.task?.save ? { task: parts.task } : {}) },
    acting: { policy, weights },
  };
}

const totalOf = ({ reward }: Verdict) =>
  typeof reward === "number" ? reward : reward.reduce((a, b) => a + b, 0);
