import { type Bound, compile, random, scalar, type Tensor, type Tree } from "@reins/tensor";
import type { Context, Metrics, Process } from "../algorithm.ts";
import type { Columns } from "../batch.ts";
import { pack } from "../batch.ts";
import type { Env } from "../env.ts";
import { type Episode, type Maker, ownSteps } from "../episode.ts";
import { fail } from "../errors.ts";
import { copyTree } from "../forms/copy.ts";
import { counted, environment, type Judge, totalOf, type Verdict } from "../judge.ts";
import type { Improved, Learned } from "../learner.ts";
import { admitPolicy } from "../loss.ts";
import { momentOf } from "../moment.ts";
import { admit, demandsOf, whenReady } from "../plan.ts";
import { requireActing, type Scored, type Scoring } from "../policy.ts";
import type { EpisodeSource, Playing } from "../rollout.ts";
import type { JudgedEpisode, Selection } from "../selection.ts";
import type { EpisodeTarget } from "../target.ts";
import { fixed, type Task } from "../task.ts";
import { inRows, inSteps } from "./episode-columns.ts";
import { EpisodeRollout } from "./episode-rollout.ts";
import { failureWatch } from "./failures.ts";
import { type Learning, learnFrom } from "./learn-from.ts";
import { Meter } from "./meter.ts";
import { taskSettings } from "./task-settings.ts";

/** The parts of a method that learns from whole, judged episodes. */
export interface EpisodicParts<P extends Scoring = Scoring> extends Learning {
  readonly name: string;
  readonly policy: P;
  /** One environment for each episode played at the same time. */
  readonly envs?: readonly Env[];
  /** Plays in another way than each problem from its start to its end: trees, rewritten transcripts, several policies. */
  readonly rollout?: (playing: Playing<P>) => EpisodeSource;
  readonly task?: Task;
  readonly judge?: Judge;
  /** What is learned from, of what was played; everything by default. */
  readonly selection?: Selection;
  readonly target: EpisodeTarget;
  /** Traced, before the first pass: more columns from what the policy says of the batch as it is now (values, a reference's view). */
  readonly look?: (scored: Scored, columns: Columns) => Columns;
  /** Whose steps are learned from: the policy's own by default, a teacher's in imitation. */
  readonly from?: Maker | readonly Maker[];
}

/** Play problems to their end, judge, choose, compare, learn. Batches are padded, so that few shapes are compiled. */
export function episodic<P extends Scoring>(
  parts: EpisodicParts<P>,
  context: Context,
): Omit<Process, "settings"> {
  const { name, envs, loss, target, selection, look } = parts;
  const task = parts.task ?? context.task ?? fixed({ plays: envs?.length ?? 1 });
  const judge = parts.judge ?? environment;
  const watch = failureWatch(name);
  const byTask = taskSettings(context);
  const policy = admitPolicy(loss, parts.policy, name);
  const demands = demandsOf(policy, loss.corrects);
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
        policy: requireActing(policy, name),
        envs: envs ?? fail(name, "needs environments or a rollout to play with."),
      });
  const stream = context.plan.place(name, rollout, demands);
  const meter = new Meter();
  /** What this round measured. Made anew each time: names then have one order, whatever was measured before. */
  let metrics: Metrics = {};

  const update = compile(
    (learned: Learned, columns: Columns, start: Tree, key: Tensor, count: Tensor) => {
      const seen = look
        ? { ...columns, ...look(policy.score(learned.weights, momentOf(columns, start)), columns) }
        : columns;
      return learnFrom(parts, policy, learned, seen, start, random.foldKey(key, count));
    },
    { name: `${name} update`, donate: [0] },
  );
  /** One bound update for each shape. */
  const bound = new Map<string, { columns: Columns; call: Bound<Improved<Learned>> }>();
  const learn = (chosen: readonly JudgedEpisode[]) => {
    const rewards = Float64Array.from(chosen, (j) => j.reward);
    const episodes = chosen.map((j) => j.episode);
    const batch = pack(episodes);
    const arrange = policy.memory ? inRows : inSteps;
    const { columns, shape } = arrange(
      batch,
      { ...target(batch, rewards, chosen), ...byTask(batch, episodes) },
      parts.from ?? "policy",
      parts.minibatches,
    );
    let own = bound.get(shape);
    if (!own) {
      const start = policy.memory ? (policy.start?.((columns.alive as Tensor).shape[1]) ?? {}) : {};
      const call = update.bind({ weights, optimiser }, columns, start, learnKey, updates);
      bound.set(shape, (own = { columns, call }));
    } else copyTree(own.columns as Tree, columns as Tree);
    own.call.run();
    updates.data[0]++;
    stream.publish();
    for (const [n, t] of Object.entries(own.call.result.metrics)) {
      metrics[n] = t.data[0];
      statistics.record(n, metrics[n]);
    }
  };
  /** Notes how the plays went. */
  const note = (judged: readonly JudgedEpisode[]) => {
    const own = ownPlays(judged);
    for (const { episode, reward } of own) {
      // Where no environment paid anything, the judge's word is the return.
      const total = episode.return.length ? episode.return.reduce((a, b) => a + b, 0) : reward;
      meter.add(total, ownSteps(episode), episode.terminated || !episode.truncated ? 1 : 2);
    }
    for (const { episode, reward } of own.length ? own : judged)
      if (episode.task !== undefined) statistics.record("reward", reward, episode.task);
    task.observe?.(own);
    latest = judged;
  };
  const told = (name: string, value: number) => {
    metrics[name] = value;
    statistics.record(name, value);
  };
  let latest: readonly JudgedEpisode[] = [];
  const round = (before: readonly JudgedEpisode[]): Metrics | Promise<Metrics> =>
    whenReady(stream.next(), (episodes) =>
      whenReady(judge(episodes, { statistics }), (verdicts) => {
        counted(name, verdicts, episodes);
        watch(verdicts);
        const judged = episodes.map((episode, i) => judgedEpisode(name, episode, verdicts[i]));
        note(judged);
        const all = [...before, ...judged];
        const chosen = selection ? selection.choose(all) : all;
        if (!chosen) return round(all);
        const own = ownPlays(all);
        const measured = own.length ? own : all;
        told("reward/mean", measured.reduce((sum, j) => sum + j.reward, 0) / measured.length);
        if (judge !== environment)
          told("judge/failed", all.filter((j) => j.verdict.failed !== undefined).length / all.length);
        if (selection) told("batch/kept", chosen.length / all.length);
        // Without an update there is nothing new to say of one.
        if (chosen.length) learn(chosen);
        meter.report(metrics, statistics);
        return metrics;
      }),
    );

  return {
    get steps() {
      return rollout.steps;
    },
    step() {
      metrics = {};
      return round([]);
    },
    // The run saves its own task; one that came with the algorithm is saved here.
    parts: {
      weights,
      optimiser,
      rollout,
      updates,
      meter,
      ...(parts.task?.save ? { task: parts.task } : {}),
      ...(selection?.save ? { selection } : {}),
    },
    acting: { policy, weights },
    inspect: () => ({ meter, episodes: latest, passes: parts.epochs * parts.minibatches }),
  };
}

/** Plays in which the policy had a part: those of a teacher, or without chance, do not say how well it does. */
const ownPlays = (judged: readonly JudgedEpisode[]) =>
  judged.filter(({ episode }) => episode.role !== "greedy" && ownSteps(episode) > 0);

/** An episode and its verdict; a reward that is not a number would poison everything after it. */
function judgedEpisode(name: string, episode: Episode, verdict: Verdict): JudgedEpisode {
  const reward = totalOf(verdict);
  // Targets are f32, in which a number may be infinite that is not in JavaScript.
  if (!Number.isFinite(Math.fround(reward)))
    fail(
      name,
      `the judge paid ${reward} for an episode of ${episode.task ?? "the task"}. Rewards must be finite numbers${Number.isFinite(reward) ? " up to 3.4e38" : ""}.`,
    );
  return { episode, verdict, reward };
}
