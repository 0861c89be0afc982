import { type Bound, compile, random, type Tensor, type Tree } from "@reins/tensor";
import { type Batch, type Columns, pack } from "../batch.ts";
import type { Episode, Maker } from "../episode.ts";
import { copyTree } from "../forms/copy.ts";
import type { TrainState, UpdateResult } from "../learner.ts";
import type { ActionScores, ScoringPolicy } from "../policy.ts";
import { recordedStep } from "../recorded-step.ts";
import type { JudgedEpisode } from "../selection.ts";
import type { EpisodeTarget } from "../target.ts";
import { episodesOf } from "../targets/group.ts";
import { inRows, inSteps, type StepTargets } from "./episode-columns.ts";
import { type Learning, learnFrom, passesOf } from "./learn-from.ts";

/** How a policy learns from judged episodes. */
export interface EpisodeLearning extends Learning {
  readonly name: string;
  readonly target: EpisodeTarget;
  /** Traced, before the first pass: more columns from the policy's scores of the batch (values, reference log-probabilities). */
  readonly look?: (scored: ActionScores, columns: Columns) => Columns;
  /** Whose steps are trained on: the policy's own by default, a teacher's in imitation. */
  readonly from?: Maker | readonly Maker[];
  /** Packs several episodes into a row of up to this number of steps (default 0: one episode per row). */
  readonly packing?: number;
  /** Neighbouring rows that the loss compares: gradient accumulation never separates them (default 1). */
  readonly neighbours?: number;
}

/** The state that updates read and change in place. */
interface Store {
  readonly learned: TrainState;
  readonly key: Tensor;
  /** Updates so far. */
  readonly updates: Tensor;
  /** Settings that differ between tasks, as columns. */
  readonly byTask: (batch: Batch, episodes: readonly Episode[]) => StepTargets;
}

/** Updates from judged episodes: one compiled call per batch shape and number of passes. Padding keeps the number of shapes low. */
export class EpisodeUpdates {
  private readonly parts: EpisodeLearning;
  private readonly policy: ScoringPolicy;
  private readonly store: Store;
  /** Advantage of each step of the episodes in the last update. */
  readonly advantages = new WeakMap<Episode, Float32Array>();
  private readonly updates = new Map<number, ReturnType<EpisodeUpdates["compiled"]>>();
  private readonly bound = new Map<string, { columns: Columns; call: Bound<UpdateResult<TrainState>> }>();

  constructor(parts: EpisodeLearning, policy: ScoringPolicy, store: Store) {
    this.parts = parts;
    this.policy = policy;
    this.store = store;
  }

  /** The update with the current number of passes. */
  private compiled() {
    const { parts, policy } = this;
    const { name, look } = parts;
    return compile(
      (learned: TrainState, columns: Columns, start: Tree, key: Tensor, count: Tensor) => {
        const seen = look
          ? { ...columns, ...look(policy.score(learned.weights, recordedStep(columns, start)), columns) }
          : columns;
        // Only targets need the order of steps in episodes.
        const { episodeSteps: _, episodePlaces: __, ...own } = seen;
        return learnFrom(parts, { policy, learned, columns: own, start, key: random.foldKey(key, count) });
      },
      { name: `${name} update`, donate: [0] },
    );
  }

  /** Trains on a batch; returns its metrics. */
  learn(chosen: readonly JudgedEpisode[]): { readonly [name: string]: Tensor } {
    const { columns, shape } = this.columnsOf(chosen);
    const passes = passesOf(this.parts);
    let own = this.bound.get(`${shape} ${passes}`);
    if (own) copyTree(own.columns, columns);
    else this.bound.set(`${shape} ${passes}`, (own = { columns, call: this.bind(columns, passes) }));
    own.call.run();
    this.store.updates.data[0]++;
    return own.call.result.metrics;
  }

  private columnsOf(chosen: readonly JudgedEpisode[]) {
    const { target, from = "policy", minibatches, accumulate = 1, packing, neighbours } = this.parts;
    const rewards = Float64Array.from(chosen, (j) => j.reward);
    const episodes = chosen.map((j) => j.episode);
    const batch = pack(this.policy.alikeTraces?.(episodes) ?? episodes);
    const arrange = this.policy.memory ? inRows : inSteps;
    const targets: StepTargets = { ...target(batch, rewards, chosen), ...this.store.byTask(batch, episodes) };
    this.note(batch, episodes, targets.advantage);
    return arrange(batch, targets, { from, parts: minibatches * accumulate, neighbours, episodes, packing });
  }

  private note(batch: Batch, episodes: readonly Episode[], advantage: ArrayLike<number> | undefined): void {
    if (!advantage) return;
    const { starts } = episodesOf(batch, "episodic");
    const all = Float32Array.from(advantage);
    episodes.forEach((e, i) => this.advantages.set(e, all.subarray(starts[i], starts[i + 1])));
  }

  private bind(columns: Columns, passes: number): Bound<UpdateResult<TrainState>> {
    const { policy, store, updates } = this;
    const update = updates.get(passes) ?? this.compiled();
    updates.set(passes, update);
    const start = policy.memory ? (policy.start?.((columns.alive as Tensor).shape[1]) ?? {}) : {};
    return update.bind(store.learned, columns, start, store.key, store.updates);
  }
}
