import { download, random, scalar } from "@reins/tensor";
import type { AlgorithmContext, Metrics, Started } from "../algorithm.ts";
import type { Env } from "../env.ts";
import { type Episode, ownSteps } from "../episode.ts";
import { fail } from "../errors.ts";
import { environment, type Judge, requireVerdicts, totalOf, type Verdict } from "../judge.ts";
import { checkPolicy } from "../loss.ts";
import { nameParts, type PartNames } from "../part-names.ts";
import { admit, planRequirements, whenReady } from "../plan.ts";
import { requireActingPolicy, type ScoringPolicy } from "../policy.ts";
import type { EpisodeSource, RolloutInput } from "../rollout.ts";
import type { JudgedEpisode, Selection } from "../selection.ts";
import { fixed, type Task } from "../task.ts";
import { groupMeasures, measuresOf } from "./episode-metrics.ts";
import { EpisodeRollout } from "./episode-rollout.ts";
import { type EpisodeLearning, EpisodeUpdates } from "./episode-updates.ts";
import { frozenReference, type ReferencePart } from "./frozen-reference.ts";
import { failureWatch } from "./judge-failures.ts";
import { learningNames, passesOf } from "./learn-from.ts";
import { EpisodeMeter } from "./meter.ts";
import { taskSettings } from "./task-settings.ts";
import { textLengths } from "./text-lengths.ts";

/** The parts of a method that learns from whole, judged episodes. */
export interface EpisodicParts<P extends ScoringPolicy = ScoringPolicy> extends EpisodeLearning {
  readonly name: string;
  readonly policy: P;
  /** One environment per concurrent episode. */
  readonly envs?: readonly Env[];
  /** A custom rollout: trees, rewritten transcripts, several policies (default: each problem from start to end). */
  readonly rollout?: (playing: RolloutInput<P>) => EpisodeSource;
  readonly task?: Task;
  readonly judge?: Judge;
  /** Which episodes are trained on (default: all). */
  readonly selection?: Selection;
  /** A frozen copy of the initial policy, for a KL penalty or to measure the divergence from it (default: none). */
  readonly reference?: ReferencePart;
}

/** Sample episodes, judge, select, compute targets, update. Batches are padded, so that few shapes are compiled. */
export function episodic<P extends ScoringPolicy>(
  parts: EpisodicParts<P>,
  context: AlgorithmContext,
): Started {
  const { name, envs, loss, selection } = parts;
  const task = parts.task ?? context.task ?? fixed({ groupSize: envs?.length ?? 1 });
  const exhausted = () => task.exhausted?.() ?? false;
  const judge = parts.judge ?? environment;
  const watch = failureWatch(name);
  const byTask = taskSettings(context);
  const reference = frozenReference(parts.policy, parts.reference);
  const policy = checkPolicy(loss, reference?.policy ?? parts.policy, name);
  const demands = planRequirements(policy, loss.corrects);
  admit(context.plan, name, demands);

  const [initKey, actKey, learnKey] = random.splitKey(context.key, 3);
  const weights = policy.init(initKey);
  reference?.init(weights);
  const optimiser = parts.optimiser.init(weights);
  const updates = scalar(0, "i32");
  const { statistics } = context;
  const playing = {
    ...{ policy, weights, task, statistics, key: actKey, version: () => updates.data[0] },
    ...(reference ? { reference: reference.weights } : {}),
  };
  const rollout: EpisodeSource = parts.rollout
    ? parts.rollout(playing)
    : new EpisodeRollout({
        ...playing,
        policy: requireActingPolicy(policy, name),
        envs: envs ?? fail(name, "needs environments or a rollout. Pass envs or rollout."),
      });
  const stream = context.plan.place(name, rollout, demands);
  const meter = new EpisodeMeter();
  /** Metrics of this round. A new record each time, so that names have one order regardless of earlier rounds. */
  let metrics: Metrics = {};

  const learned = { weights, optimiser };
  const updater = new EpisodeUpdates(parts, policy, { learned, key: learnKey, updates, byTask });
  const learn = (chosen: readonly JudgedEpisode[]) => {
    const measured = updater.learn(chosen);
    return whenReady(download({ learned, measured }), () => {
      stream.publish();
      for (const [n, t] of Object.entries(measured)) report(n, t.data[0]);
    });
  };
  /** Records how the episodes went. */
  const note = (judged: readonly JudgedEpisode[]) => {
    const own = ownPlays(judged);
    for (const { episode, reward } of own) {
      // Without rewards of an environment, the judge's reward is the return.
      const total = episode.return.length ? episode.return.reduce((a, b) => a + b, 0) : reward;
      meter.add(total, ownSteps(episode), episode.terminated || !episode.truncated ? 1 : 2);
    }
    for (const { episode, reward } of own.length ? own : judged)
      if (episode.task !== undefined) statistics.record("reward", reward, episode.task);
    task.observe?.(own);
    latest = judged;
  };
  const report = (name: string, value: number) => {
    metrics[name] = value;
    statistics.record(name, value);
  };
  let latest: readonly JudgedEpisode[] = [];
  const round = (before: readonly JudgedEpisode[]): Metrics | Promise<Metrics> =>
    whenReady(stream.next(), (episodes) => {
      // The last examples of a dataset may all be unusable.
      if (episodes.length === 0 && before.length === 0) return ended();
      return whenReady(judge(episodes, { statistics }), (verdicts) => {
        requireVerdicts(name, verdicts, episodes);
        watch(verdicts);
        const judged = episodes.map((episode, i) => judgedEpisode(name, episode, verdicts[i]));
        note(judged);
        const all = [...before, ...judged];
        // If the selection requests more episodes and none are left, there is no update.
        const chosen = selection ? (selection.select(all) ?? (exhausted() ? [] : undefined)) : all;
        if (!chosen) return round(all);
        const own = ownPlays(all);
        const measured = own.length ? own : all;
        report("reward/mean", measured.reduce((sum, j) => sum + j.reward, 0) / measured.length);
        for (const [n, value] of Object.entries(measuresOf(own))) report(n, value);
        for (const [n, value] of Object.entries(textLengths(measured))) report(n, value);
        if (judge !== environment)
          report("judge/failed", all.filter((j) => j.verdict.failed !== undefined).length / all.length);
        if (selection) report("batch/kept", chosen.length / all.length);
        for (const [n, value] of Object.entries(groupMeasures(own, chosen))) report(n, value);
        // Without an update its metrics do not change.
        return whenReady(chosen.length ? learn(chosen) : undefined, ended);
      });
    });
  const ended = (): Metrics => {
    for (const [n, value] of Object.entries(rollout.metrics?.() ?? {})) report(n, value);
    if (task.epoch) report("epoch", task.epoch());
    report("updates", updates.data[0]);
    meter.report(metrics, statistics);
    return metrics;
  };

  const reportReference = (measured: Metrics): Metrics =>
    reference?.report(
      measured,
      latest.map((j) => j.episode),
      statistics,
    ) ?? measured;

  return {
    get steps() {
      return rollout.steps;
    },
    get finished() {
      return exhausted();
    },
    step() {
      metrics = {};
      reference?.freeze(weights);
      return whenReady(round([]), reportReference);
    },
    // The run saves its own task; a task that came with the algorithm is saved here.
    parts: {
      weights,
      optimiser,
      rollout,
      updates,
      meter,
      ...(parts.task?.save ? { task: parts.task } : {}),
      ...(selection?.save ? { selection } : {}),
      ...reference?.parts,
    },
    acting: { policy, weights },
    inspect: () => ({
      meter,
      episodes: latest,
      advantageOf: (episode) => updater.advantages.get(episode),
      passes: passesOf(parts) * parts.minibatches,
    }),
  };
}

/** Samples of the policy; episodes of a teacher and greedy baselines do not measure it. */
const ownPlays = (judged: readonly JudgedEpisode[]) =>
  judged.filter(({ episode }) => episode.role !== "greedy" && ownSteps(episode) > 0);

/** An episode and its verdict; throws for a reward that is not finite, which would corrupt all later updates. */
function judgedEpisode(name: string, episode: Episode, verdict: Verdict): JudgedEpisode {
  const reward = totalOf(verdict);
  // Targets are f32, in which a large finite number becomes infinite.
  if (!Number.isFinite(Math.fround(reward)))
    fail(
      name,
      `the judge returned the reward ${reward} for an episode of ${episode.task ?? "the task"}. Rewards must be finite numbers${Number.isFinite(reward) ? " up to 3.4e38" : ""}.`,
    );
  return { episode, verdict, reward };
}

const names: PartNames<EpisodicParts> = {
  ...learningNames,
  name: true,
  policy: true,
  target: true,
  look: true,
  from: true,
  packing: true,
  neighbours: true,
  envs: true,
  rollout: true,
  task: true,
  judge: true,
  selection: true,
  reference: true,
};
nameParts(episodic, names);
