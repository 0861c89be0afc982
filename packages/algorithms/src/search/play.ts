import type { VectorEnv } from "@reins/core";
import { policyInput } from "@reins/core/episodes";
import { Actor, EpisodeMeter } from "@reins/core/loops";
import { stream } from "@reins/core/random";
import type { Tensor, Tree } from "@reins/tensor";
import { Seen } from "./feature-statistics.ts";
import { rowsOf, unflattenRow } from "./members.ts";
import type { SearchedPolicy, SearchedWeights } from "./policy.ts";

/** Settings of {@link PopulationPlay}. */
export interface PopulationPlayOptions {
  readonly env: VectorEnv;
  readonly searched: SearchedPolicy;
  /** The weights of the centre; observation statistics are read from it in place. */
  readonly weights: SearchedWeights;
  readonly members: readonly Float64Array[];
  readonly episodes: number;
  readonly horizon: number;
  readonly common: boolean;
  readonly seed: number;
}

/**
 * Plays the members of a population, one episode per row: one compiled call acts for all, every row with the
 * weights of its member. Finished rows keep stepping until the last one is done; those steps are neither trained
 * on nor counted.
 */
export class PopulationPlay {
  readonly meter = new EpisodeMeter();
  readonly seen: Seen | undefined;
  readonly parts: { readonly [name: string]: unknown };
  private readonly options: PopulationPlayOptions;
  private readonly networks: Tree;
  private readonly actor: Actor;
  private readonly returns: Float64Array;
  private readonly rewards: Float64Array;
  private readonly playing: Uint8Array;
  private readonly counters = { steps: 0, generation: 0 };
  private left = 0;
  private time = 0;

  constructor(options: PopulationPlayOptions) {
    const { env, searched, weights, members } = options;
    this.options = options;
    this.networks = rowsOf(weights.network, env.rows);
    this.actor = new Actor({
      policy: searched.byRow,
      weights: { ...weights, network: this.networks },
      view: policyInput(env),
      rows: env.rows,
    });
    this.returns = new Float64Array(members.length);
    this.rewards = new Float64Array(env.rows);
    this.playing = new Uint8Array(env.rows);
    this.seen = weights.scale && new Seen(weights.scale.mean.size);
    const { meter, counters } = this;
    this.parts = { env, meter, counters };
  }

  /** Environment steps so far. */
  get steps(): number {
    return this.counters.steps;
  }

  /** Mean return of each member over its episodes. */
  next(): Float64Array | Promise<Float64Array> {
    this.begin();
    const { env } = this.options;
    if (env.pending) return this.goOn(false);
    while (this.left > 0) {
      this.act();
      if (env.pending) return this.goOn(true);
      this.note();
    }
    return this.judged();
  }

  /** The rest of a generation, when steps are asynchronous. */
  private async goOn(acted: boolean): Promise<Float64Array> {
    const { env } = this.options;
    await env.pending;
    if (acted) this.note();
    while (this.left > 0) {
      this.act();
      await env.pending;
      this.note();
    }
    return this.judged();
  }

  /**
   * Assigns each row its member and a new episode. Seeds depend only on the generation, not on the length of
   * earlier episodes.
   */
  private begin(): void {
    const { env, members, episodes, common, seed } = this.options;
    for (let row = 0; row < env.rows; row++)
      unflattenRow(members[Math.floor(row / episodes)], this.networks, row);
    const generation = this.counters.generation++;
    const one = (row: number) => stream(seed, "episode", generation * env.rows + row);
    env.reset({ seed: Array.from({ length: env.rows }, (_, row) => one(common ? row % episodes : row)) });
    this.rewards.fill(0);
    this.playing.fill(1);
    this.left = env.rows;
    this.time = 0;
  }

  private act(): void {
    const { actor, seen, playing } = this;
    const { action, trace } = actor.act();
    if (seen)
      for (let row = 0; row < playing.length; row++) if (playing[row]) seen.note(trace as Tensor, row);
    this.options.env.step(action);
  }

  /** Adds the last step's rewards for rows whose episode is unfinished. */
  private note(): void {
    const { rewards, playing, meter, counters } = this;
    const { env, horizon } = this.options;
    const reward = env.reward.data;
    const terminated = env.terminated.data;
    const truncated = env.truncated.data;
    const late = ++this.time >= horizon;
    for (let row = 0; row < env.rows; row++) {
      if (!playing[row]) continue;
      counters.steps++;
      rewards[row] += reward[row];
      const over = terminated[row] || truncated[row];
      if (!over && !late) continue;
      playing[row] = 0;
      this.left--;
      if (over) meter.add(env.ended.return[row], env.ended.length[row], terminated[row] ? 1 : 2);
      else meter.add(rewards[row], this.time, 2);
    }
  }

  private judged(): Float64Array {
    const { episodes } = this.options;
    this.returns.fill(0);
    for (let row = 0; row < this.rewards.length; row++)
      this.returns[Math.floor(row / episodes)] += this.rewards[row] / episodes;
    return this.returns;
  }
}
