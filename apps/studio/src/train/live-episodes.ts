import type { CurrentPolicy, VectorEnv } from "reins/core";
import { PolicyRunner } from "reins/core/policies";
import type { EpisodeFrame, Played } from "./messages.ts";

/** Maximum length of a batch of frames, in seconds. */
const most = 1.5;
/** Minimum time that an episode is shown before it may be cut short, in seconds. */
const least = 3;
/** Improvement after which an episode is cut short, as a share of the range of scores so far. */
const better = 0.05;
/** Number of past episodes listed. */
const listed = 5;

/** Plays episodes with the current weights during training, at a rate that can be watched. */
export class LiveEpisodes {
  private readonly env: VectorEnv;
  private readonly player: PolicyRunner;
  private readonly pace: number;
  private readonly score: () => number;
  private at = performance.now();
  private episode = 0;
  private step = 0;
  private before: readonly Played[] = [];
  private low = Number.POSITIVE_INFINITY;
  private high = Number.NEGATIVE_INFINITY;
  /** Score at the start of the episode. */
  private then = Number.NaN;

  /** `score` returns the agent's current score. Episodes are cut short when it has improved. */
  constructor(
    acting: CurrentPolicy,
    env: VectorEnv,
    { pace, seed, score }: { pace: number; seed: number; score(): number },
  ) {
    [this.pace, this.env, this.score] = [pace, env, score];
    // Actions are sampled: a greedy policy gets stuck early in training.
    this.player = new PolicyRunner(acting, env, { greedy: false, seed });
    this.player.reset(seed);
  }

  /** The frames since the last call. */
  since(): EpisodeFrame[] {
    const now = performance.now();
    const due = Math.floor(Math.min(((now - this.at) * this.pace) / 1000, most * this.pace));
    if (due < 1) return [];
    // The remainder of a frame carries over, except after a long pause.
    this.at = Math.max(this.at + (1000 * due) / this.pace, now - 1000 / this.pace);
    if (this.isOld()) {
      this.player.reset();
      this.ends({ steps: this.step });
    }
    return Array.from({ length: due }, () => this.next());
  }

  /** Whether the agent has improved enough since the episode began. */
  private isOld(): boolean {
    const now = this.score();
    if (!Number.isFinite(now)) return false;
    [this.low, this.high] = [Math.min(this.low, now), Math.max(this.high, now)];
    if (Number.isNaN(this.then)) this.then = now;
    return this.step >= least * this.pace && now - this.then > better * (this.high - this.low);
  }

  private ends(played: Played): void {
    this.before = [...this.before, played].slice(-listed);
    this.episode++;
    this.step = 0;
    this.then = this.score();
  }

  private next(): EpisodeFrame {
    const { env, episode, step, before } = this;
    const frame = {
      ...(env.picture ? { drawing: env.picture(0) } : { text: env.render?.(0) ?? "" }),
      ...{ episode, step, before },
    };
    this.player.step();
    this.step++;
    if (env.terminated.data[0] || env.truncated.data[0])
      this.ends({ steps: this.step, return: env.ended.return[0] });
    return frame;
  }
}
