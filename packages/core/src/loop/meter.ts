import type { Goals, VectorEnv } from "../env.ts";
import { goalReached } from "../goals.ts";
import type { Saved, Snapshot } from "../snapshot.ts";
import type { Statistics } from "../statistics.ts";

/** Its statistics that signals may follow. */
const noted = ["return/mean", "length/mean"];
const notedWithGoals = [...noted, "success/mean"];

/** Returns and lengths of the last episodes, the main measure of a run. Allocates nothing. */
export class EpisodeMeter implements Saved {
  /** Episodes finished so far. */
  episodes = 0;
  /** Whether an episode ended since the last report. */
  fresh = false;
  private readonly returns: Float64Array;
  private readonly lengths: Float64Array;
  /** How each episode ended: 1 terminated, 2 truncated. */
  private readonly endings: Uint8Array;
  private readonly goals: Goals | undefined;
  /** Whether each episode reached its goal, if there are goals. */
  private readonly successes: Uint8Array;

  /** With `goals`, an episode is a success if its last step reached the goal. */
  constructor(window = 100, goals?: Goals) {
    this.returns = new Float64Array(window);
    this.lengths = new Float64Array(window);
    this.endings = new Uint8Array(window);
    this.goals = goals;
    this.successes = new Uint8Array(goals ? window : 0);
  }

  /** Records the episodes that ended in the environment's last step. */
  observe(env: Pick<VectorEnv, "reward" | "terminated" | "truncated" | "ended">): void {
    const terminated = env.terminated.data;
    const truncated = env.truncated.data;
    for (let i = 0; i < terminated.length; i++)
      if (terminated[i] || truncated[i]) {
        if (this.goals) this.note(goalReached(this.goals, env.reward.data[i]));
        this.add(env.ended.return[i], env.ended.length[i], terminated[i] ? 1 : 2);
      }
  }

  /** Records whether the next added episode reached its goal. */
  private note(success: boolean): void {
    this.successes[this.episodes % this.returns.length] = success ? 1 : 0;
  }

  /** Records one episode; `ending` is 1 for terminated, 2 for truncated. */
  add(total: number, length: number, ending = 1): void {
    const at = this.episodes % this.returns.length;
    this.returns[at] = total;
    this.lengths[at] = length;
    this.endings[at] = ending;
    this.episodes++;
    this.fresh = true;
  }

  /** Mean return of the last episodes; NaN before the first. */
  get mean(): number {
    return average(this.returns, this.count);
  }

  /** Mean length of the last episodes. */
  get length(): number {
    return average(this.lengths, this.count);
  }

  /** Success rate of the last episodes; NaN before the first. */
  get success(): number {
    return average(this.successes, this.count);
  }

  /** Standard deviation of the returns of the last episodes. */
  get std(): number {
    const mean = this.mean;
    let squares = 0;
    for (let i = 0; i < this.count; i++) squares += (this.returns[i] - mean) ** 2;
    return this.count > 1 ? Math.sqrt(squares / (this.count - 1)) : 0;
  }

  /** The last episodes, unordered. */
  recent(): { return: number; length: number; truncated: boolean }[] {
    const { returns, lengths, endings } = this;
    return Array.from({ length: this.count }, (_, i) => ({
      return: returns[i],
      length: lengths[i],
      truncated: endings[i] === 2,
    }));
  }

  /** Number of episodes that the means cover. */
  get count(): number {
    return Math.min(this.episodes, this.returns.length);
  }

  /** Its metrics as getters. */
  live(): { readonly [name: string]: () => number } {
    return {
      "return/mean": () => this.mean,
      "return/std": () => this.std,
      "length/mean": () => this.length,
      ...(this.goals ? { "success/mean": () => this.success } : {}),
      episodes: () => this.episodes,
    };
  }

  /** Records new values in the statistics. */
  record(statistics: Statistics): void {
    statistics.announce(this.goals ? notedWithGoals : noted);
    if (!this.fresh) return;
    this.fresh = false;
    statistics.of("return/mean").note(this.mean);
    statistics.of("length/mean").note(this.length);
    if (this.goals) statistics.of("success/mean").note(this.success);
  }

  /** Writes new values to the statistics, and all values to the metrics. */
  report(metrics: Record<string, number>, statistics: Statistics): void {
    this.record(statistics);
    metrics["return/mean"] = this.mean;
    metrics["return/std"] = this.std;
    metrics["length/mean"] = this.length;
    if (this.goals) metrics["success/mean"] = this.success;
    metrics.episodes = this.episodes;
  }

  save(): Snapshot {
    const { episodes, fresh, returns, lengths, endings, successes } = this;
    return {
      episodes,
      fresh,
      returns: returns.slice(),
      lengths: lengths.slice(),
      endings: endings.slice(),
      ...(this.goals ? { successes: successes.slice() } : {}),
    };
  }

  restore(from: Snapshot): void {
    const s = from as {
      episodes: number;
      fresh: boolean;
      returns: Float64Array;
      lengths: Float64Array;
      endings: Uint8Array;
      successes?: Uint8Array;
    };
    this.episodes = s.episodes;
    this.fresh = s.fresh;
    this.returns.set(s.returns);
    this.lengths.set(s.lengths);
    this.endings.set(s.endings);
    if (s.successes) this.successes.set(s.successes);
  }
}

function average(values: ArrayLike<number>, count: number): number {
  let sum = 0;
  for (let i = 0; i < count; i++) sum += values[i];
  return count ? sum / count : Number.NaN;
}
