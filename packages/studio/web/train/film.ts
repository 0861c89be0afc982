import { type CurrentPolicy, Player, type VectorEnv } from "reins/core";
import type { Moment, Played } from "./messages.ts";

/** Frames that are made at once, at most, in seconds of play. */
const most = 1.5;
/** Seconds that an episode is watched, at least, before a better one may take its place. */
const least = 3;
/** Share of all that was learned so far which makes an agent a better one. */
const better = 0.05;
/** Episodes that are remembered. */
const remembered = 5;

/** An agent that plays beside its training, with the weights that it has at the time, at the pace of a person who looks on. */
export class Film {
  private readonly env: VectorEnv;
  private readonly player: Player;
  private readonly pace: number;
  private readonly score: () => number;
  private at = performance.now();
  private episode = 0;
  private step = 0;
  private before: readonly Played[] = [];
  private low = Number.POSITIVE_INFINITY;
  private high = Number.NEGATIVE_INFINITY;
  /** The score when the episode began. */
  private then = Number.NaN;

  /** `score` tells how good the agent is by now: while it gets better, episodes are broken off for new ones. */
  constructor(
    acting: CurrentPolicy,
    env: VectorEnv,
    { pace, seed, score }: { pace: number; seed: number; score(): number },
  ) {
    [this.pace, this.env, this.score] = [pace, env, score];
    // It draws its actions as in training: what always does the same gets stuck before it knows better.
    this.player = new Player(acting, env, { greedy: false, seed });
    this.player.reset(seed);
  }

  /** What has happened since it was asked last. */
  since(): Moment[] {
    const now = performance.now();
    const due = Math.floor(Math.min(((now - this.at) * this.pace) / 1000, most * this.pace));
    if (due < 1) return [];
    // What is left of a frame counts for the next, unless there was a long break.
    this.at = Math.max(this.at + (1000 * due) / this.pace, now - 1000 / this.pace);
    if (this.isOld()) {
      this.player.reset();
      this.ends({ steps: this.step });
    }
    return Array.from({ length: due }, () => this.next());
  }

  /** Whether the agent has become better since the episode began, which has been watched for a while. */
  private isOld(): boolean {
    const now = this.score();
    if (!Number.isFinite(now)) return false;
    [this.low, this.high] = [Math.min(this.low, now), Math.max(this.high, now)];
    if (Number.isNaN(this.then)) this.then = now;
    return this.step >= least * this.pace && now - this.then > better * (this.high - this.low);
  }

  private ends(played: Played): void {
    this.before = [...this.before, played].slice(-remembered);
    this.episode++;
    this.step = 0;
    this.then = this.score();
  }

  private next(): Moment {
    const { env, episode, step, before } = this;
    const moment = {
      ...(env.picture ? { drawing: env.picture(0) } : { text: env.render?.(0) ?? "" }),
      ...{ episode, step, before },
    };
    this.player.step();
    this.step++;
    if (env.terminated.data[0] || env.truncated.data[0])
      this.ends({ steps: this.step, return: env.ended.return[0] });
    return moment;
  }
}
