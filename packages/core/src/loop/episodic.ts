import {
  type Bound,
  compile,
  random,
  scalar,
  type Tensor,
  type Tree,
  tensor,
  treeMap,
  zeros,
} from "@reins/tensor";
import type { Context, Metrics, Process } from "../algorithm.ts";
import { type Batch, pack, sizeOf } from "../batch.ts";
import type { Env } from "../env.ts";
import type { Episode } from "../episode.ts";
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
}

/** A rollout that counts its steps. */
export type EpisodeSource = Rollout<readonly Episode[]> & { readonly steps: number };

/** Play problems to their end, judge, compare, learn. Batches are padded to powers of two, so that few shapes are compiled. */
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
    (learned: Learned, columns: Columns, key: Tensor, count: Tensor) =>
      learnFrom(parts, policy, learned, columns, {}, random.foldKey(key, count)),
    { name: `${name} update`, donate: [0] },
  );
  /** One bound update for each padded size. */
  const bound = new Map<number, { columns: Columns; call: Bound<Learnt> }>();
  const learn = (episodes: readonly Episode[], verdicts: readonly Verdict[]) => {
    const rewards = Float64Array.from(verdicts, totalOf);
    const batch = pack(episodes);
    const size = 2 ** Math.ceil(Math.log2(Math.max(64, sizeOf(batch))));
    const columns = padded(batch, target(batch, rewards, episodes), size);
    let own = bound.get(size);
    if (!own) {
      const call = update.bind({ weights, optimiser } as never, columns as never, learnKey, updates);
      bound.set(size, (own = { columns, call }));
    } else copyTree(own.columns as Tree, columns as Tree);
    own.call.run();
    updates.data[0]++;
    stream.publish();
    episodes.forEach((e, i) => {
      meter.add(
        e.return.reduce((a, b) => a + b, 0),
        (e.columns.by as Tensor).size,
      );
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

/** The columns of a batch and its targets, with steps that do not count added up to `size`. */
function padded(
  batch: Batch,
  targets: { readonly [name: string]: ArrayLike<number> },
  size: number,
): Columns {
  const { by, version: _, ...rest } = batch.columns as Record<string, Tree>;
  const columns = treeMap((t) => {
    const wide = zeros([size, ...t.shape.slice(1)], t.dtype);
    wide.data.set(t.data);
    return wide;
  }, rest) as Record<string, Tree>;
  for (const [name, values] of Object.entries(targets)) {
    const column = zeros([size]);
    column.data.set(Array.from(values));
    columns[name] = column;
  }
  const makers = (by as Tensor).data;
  // Only what the policy itself did is learned from.
  columns.alive = tensor(
    Uint8Array.from({ length: size }, (_, i) => (i < makers.length && makers[i] === 0 ? 1 : 0)),
    { dtype: "bool" },
  );
  return columns;
}
