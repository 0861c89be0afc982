import type { Discrete, VectorEnv } from "@reins/core";
import { requireSynchronous } from "@reins/core/forms";
import { EpisodeMeter } from "@reins/core/loops";
import { type Tensor, zeros } from "@reins/tensor";
import type { Mask } from "./action-values.ts";
import { StateIndex } from "./state-index.ts";

/** A learner on a table. States are indices; actions count from 0. */
export interface TableLearner {
  choose(state: number, mask: Mask, row: number): number;
  /** Learns from the outcome of a step. */
  learn(row: number, state: number, action: number, after: After): void;
  /** Whether the next action is chosen before learning from a step: SARSA. */
  readonly ahead: boolean;
}

/**
 * Outcome of a step. One record is reused for all steps, because numbers passed to functions are allocated: do not
 * keep it.
 */
export interface After {
  reward: number;
  /** The next state. */
  state: number;
  /** The action mask there, if known. */
  mask: Mask;
  /** The action chosen there, if the learner needs it. */
  action: number;
  /** Terminated: there is no future value. */
  terminated: boolean;
  /** The episode ended, by termination or by truncation. */
  over: boolean;
  /** Value of the next state; written by the learner. */
  nextValue: number;
}

/** Plays an environment with countable states on typed arrays: a step allocates nothing. */
export class TablePlay {
  readonly meter = new EpisodeMeter();
  readonly parts: { readonly [name: string]: unknown };
  private readonly env: VectorEnv;
  private readonly learner: TableLearner;
  private readonly here: Int32Array;
  private readonly next: Int32Array;
  private readonly chosen: Int32Array;
  private readonly action: Tensor;
  private readonly first: number;
  private readonly index: StateIndex;
  private readonly finals: StateIndex;
  private readonly after: After = {
    reward: 0,
    state: 0,
    mask: undefined,
    action: 0,
    terminated: false,
    over: false,
    nextValue: 0,
  };
  private readonly counters = { steps: 0 };

  constructor(env: VectorEnv, learner: TableLearner, seed: number) {
    const { rows, spec, observation, final } = env;
    env.reset({ seed });
    requireSynchronous(env, "a table");
    this.env = env;
    this.learner = learner;
    this.first = (spec.action as Discrete).start;
    this.here = new Int32Array(rows);
    this.next = new Int32Array(rows);
    this.chosen = new Int32Array(rows);
    this.action = zeros([rows], "i32");
    this.index = new StateIndex(spec.observation, observation, rows);
    this.finals = new StateIndex(spec.observation, final, rows);
    this.index.all(this.here);
    if (learner.ahead) this.choose();
    const { meter, here, chosen, counters } = this;
    this.parts = { env, meter, here, chosen, counters };
  }

  /** Environment steps so far. */
  get steps(): number {
    return this.counters.steps;
  }

  /** One step of every row. */
  step(): void {
    const { env, learner, chosen, first, index, next, after, meter } = this;
    if (!learner.ahead) this.choose();
    const out = this.action.data;
    for (let row = 0; row < env.rows; row++) out[row] = first + chosen[row];
    env.step(this.action);
    index.all(next);
    const terminated = env.terminated.data;
    const truncated = env.truncated.data;
    const reward = env.reward.data;
    const mask = this.mask();
    let ended = 0;
    for (let row = 0; row < env.rows; row++) {
      after.reward = reward[row];
      this.learn(row, terminated[row] !== 0, truncated[row] !== 0, mask);
      ended |= terminated[row] | truncated[row];
    }
    if (ended) meter.observe(env);
    this.counters.steps += env.rows;
  }

  close(): void {
    this.env.close?.();
  }

  private learn(row: number, terminated: boolean, truncated: boolean, mask: Mask): void {
    const { learner, after, here, next, chosen } = this;
    const over = terminated || truncated;
    // The environment has already begun the next episode.
    after.state = over ? this.finals.one(row) : next[row];
    after.mask = over ? this.finalMask() : mask;
    after.terminated = terminated;
    after.over = over;
    if (learner.ahead && !terminated) after.action = learner.choose(after.state, after.mask, row);
    learner.learn(row, here[row], chosen[row], after);
    here[row] = next[row];
    if (learner.ahead) chosen[row] = over ? learner.choose(next[row], mask, row) : after.action;
  }

  private choose(): void {
    const { learner, here, chosen } = this;
    const mask = this.mask();
    for (let row = 0; row < chosen.length; row++) chosen[row] = learner.choose(here[row], mask, row);
  }

  private mask(): Mask {
    return (this.env.mask as Tensor | undefined)?.data;
  }

  private finalMask(): Mask {
    return (this.env.finalMask as Tensor | undefined)?.data;
  }
}
