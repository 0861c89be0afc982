import type { Parts, Snapshot, VectorEnv } from "@reins/core";
import { defaultSeed, stream } from "@reins/core/random";
import { checkUsualRange } from "@reins/core/settings";
import { restore, save } from "@reins/core/snapshots";
import { columns, flatSize, flatten } from "@reins/core/spaces";
import * as nn from "@reins/nn";
import {
  type Bound,
  compile,
  leaves,
  or,
  random,
  reshape,
  type Tensor,
  type Tree,
  valueAndGradient,
  where,
  zeros,
} from "@reins/tensor";
import { RunningStatistics } from "../wrappers/running-statistics.ts";
import { leafFinder } from "../wrappers/wrapper.ts";
import type { Novelty } from "./novelty.ts";
import {
  type LearnedNoveltyOptions,
  type Norm,
  type NoveltyModel,
  normalised,
  type SeenSizes,
  type SeenSteps,
} from "./novelty-model.ts";

/** Observation, next observation (the final one where an episode ended) and action, as numbers. */
type Looked = { readonly now: Tensor; readonly next: Tensor; readonly action: Tensor };

const epsilon = 1e-8;
/** Discount factor of the intrinsic returns used for scaling. */
const gamma = 0.99;

/**
 * Learned novelty. Observations are normalised by running statistics, bonuses are divided by the standard
 * deviation of their discounted sums (Burda et al., 2019), and the networks are updated every few steps, after
 * computing their bonuses.
 */
export class LearnedNovelty<L extends Tree, F extends Tree> implements Novelty {
  private readonly env: VectorEnv;
  private readonly name: string;
  private readonly model: NoveltyModel<L, F>;
  private readonly every: number;
  private readonly warmUp: number;
  private readonly given: (action: Tree) => readonly Tensor[];
  private readonly action: Tree;
  private readonly look: Bound<Looked>;
  private readonly judge: Bound<Tensor>;
  private readonly learn: Bound<Tree>;
  /** The observation before the step, instead of the one after the last. */
  private readonly seen: Tensor;
  private readonly norm: Norm;
  /** Steps in the training batch. */
  private readonly kept: SeenSteps;
  private readonly optimiser: nn.Optimiser;
  private readonly weights: { readonly learned: L; readonly fixed: F; readonly state: Tree };
  private readonly statistics: RunningStatistics;
  private readonly spread = new RunningStatistics(1);
  private readonly sums: Float64Array;
  private readonly counter = { steps: 0 };

  constructor(
    name: string,
    env: VectorEnv,
    modelOf: (sizes: SeenSizes) => NoveltyModel<L, F>,
    options: LearnedNoveltyOptions,
  ) {
    const { learningRate = 3e-4, width = 64, every = 8, warmUp = 32 } = options;
    checkUsualRange(name, "learningRate", learningRate, "positive", 3e-4);
    checkUsualRange(name, "width", width, "count", 64);
    checkUsualRange(name, "every", every, "count", 8);
    checkUsualRange(name, "warmUp", warmUp, "whole", 32);
    const { spec, rows, observation, final, terminated, truncated } = env;
    const sizes = { observation: flatSize(spec.observation), action: flatSize(spec.action), width };
    const model = modelOf(sizes);
    this.env = env;
    this.name = name;
    this.model = model;
    this.every = every;
    this.warmUp = warmUp;
    this.action = columns(spec.action, rows);
    this.given = leafFinder(this.action, "the action");
    this.seen = zeros([rows, sizes.observation]);
    this.norm = { middle: zeros([sizes.observation]), scale: zeros([sizes.observation]) };
    this.statistics = new RunningStatistics(sizes.observation);
    this.sums = new Float64Array(rows);
    const many = rows * every;
    this.kept = {
      seen: zeros([many, sizes.observation]),
      action: zeros([many, sizes.action]),
      next: zeros([many, sizes.observation]),
    };
    const { learned, fixed } = model.init(keyOf(defaultSeed, name));
    const optimiser = nn.adam({ learningRate });
    const state = optimiser.init(learned);
    this.optimiser = optimiser;
    this.weights = { learned, fixed, state };

    this.look = compile(
      (now: Tree, last: Tree, ends: readonly Tensor[], done: Tree): Looked => {
        const flat = flatten(spec.observation, now);
        const ended = reshape(or(ends[0], ends[1]), [rows, 1]);
        const next = where(ended, flatten(spec.observation, last), flat);
        return { now: flat, next, action: flatten(spec.action, done) };
      },
      { name: `${name} look` },
    ).bind(observation, final, [terminated, truncated], this.action);
    const { action, next } = this.look.result;
    this.judge = compile(
      (l: L, f: F, steps: SeenSteps, norm: Norm) => model.novelty(l, f, normalised(steps, norm)),
      { name: `${name} bonus` },
    ).bind(learned, fixed, { seen: this.seen, action, next }, this.norm);
    this.learn = compile(
      (l: L, s: typeof state, f: F, steps: SeenSteps, norm: Norm) => {
        const { gradient } = valueAndGradient((w: L) => model.loss(w, f, normalised(steps, norm)))(l);
        return optimiser.update(gradient, s, l, { learningRate });
      },
      { name: `${name} update`, donate: [0, 1] },
    ).bind(learned, state, fixed, this.kept, this.norm);
  }

  begun(seed: number | undefined): void {
    if (seed !== undefined) this.forget(seed);
    this.look.run();
    this.seen.data.set(this.look.result.now.data);
  }

  took(action: Tree, into: Float32Array): void {
    const { every, counter, sums, spread, env } = this;
    const given = this.given(action);
    leaves(this.action).forEach((own, i) => void own.data.set(given[i].data));
    this.look.run();
    this.normalise();
    const at = counter.steps++;
    // Before statistics are available, observations would look equal or huge.
    if (at < this.warmUp) into.fill(0);
    else {
      this.judge.run();
      const novel = this.judge.result.data;
      for (let row = 0; row < env.rows; row++) sums[row] = sums[row] * gamma + novel[row];
      spread.update(sums, env.rows);
      const scale = 1 / Math.sqrt(spread.variance[0] + epsilon);
      for (let row = 0; row < env.rows; row++) into[row] = novel[row] * scale;
    }
    this.keep(at % every);
    if (at >= this.warmUp && (at + 1) % every === 0) this.learn.run();
    this.seen.data.set(this.look.result.now.data);
  }

  save(): Snapshot {
    return save(this.parts());
  }

  restore(from: Snapshot): void {
    restore(this.parts(), from);
  }

  private parts(): Parts {
    const { seen, norm, kept, weights, statistics, spread, sums, counter } = this;
    return { seen, norm, kept, weights, statistics, spread, sums, counter };
  }

  /** Resets in place: compiled functions keep using the same storage. */
  private forget(seed: number): void {
    const { learned, fixed } = this.model.init(keyOf(seed, this.name));
    restore({ learned: this.weights.learned, fixed: this.weights.fixed }, save({ learned, fixed }));
    restore(this.weights.state, save(this.optimiser.init(learned)));
    restore(this.statistics, save(new RunningStatistics(this.statistics.mean.length)));
    restore(this.spread, save(new RunningStatistics(1)));
    this.sums.fill(0);
    this.counter.steps = 0;
  }

  private normalise(): void {
    const { statistics, norm, env } = this;
    statistics.update(this.look.result.next.data, env.rows);
    const { mean, variance } = statistics;
    norm.middle.data.set(mean);
    for (let i = 0; i < mean.length; i++) norm.scale.data[i] = 1 / Math.sqrt(variance[i] + epsilon);
  }

  /** Adds the step to the training batch. */
  private keep(at: number): void {
    const { kept, seen } = this;
    const { action, next } = this.look.result;
    kept.seen.data.set(seen.data, at * seen.size);
    kept.action.data.set(action.data, at * action.size);
    kept.next.data.set(next.data, at * next.size);
  }
}

const keyOf = (seed: number, name: string): Tensor => random.key(stream(seed, name));
