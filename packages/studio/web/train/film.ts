import { Player, placeOf, type Run, type VectorEnv } from "reins/core";
import type { Moment } from "./messages.ts";

/** Frames that are made at once, at most, in seconds of play. */
const most = 1.5;

/** An agent that plays beside its training, with the weights that it has at the time, at the pace of a person who looks on. */
export class Film {
  private readonly env: VectorEnv;
  private readonly player: Player;
  private readonly pace: number;
  private at = performance.now();
  private episode = 0;
  private step = 0;
  private last: number | undefined;

  constructor(run: Run, pace: number, seed: number) {
    this.pace = pace;
    this.env = placeOf(run).make(1);
    // It draws its actions as in training: what always does the same gets stuck before it knows better.
    this.player = new Player(run.process.acting!, this.env, { greedy: false, seed });
    this.player.reset(seed);
  }

  /** What has happened since it was asked last. */
  since(): Moment[] {
    const now = performance.now();
    const due = Math.floor(Math.min(((now - this.at) * this.pace) / 1000, most * this.pace));
    if (due < 1) return [];
    // What is left of a frame counts for the next, unless there was a long break.
    this.at = Math.max(this.at + (1000 * due) / this.pace, now - 1000 / this.pace);
    return Array.from({ length: due }, () => this.next());
  }

  private next(): Moment {
    const { env, episode, step, last } = this;
    const moment = {
      ...(env.picture ? { drawing: env.picture(0) } : { text: env.render?.(0) ?? "" }),
      ...{ episode, step },
      ...(last === undefined ? {} : { last }),
    };
    this.player.step();
    this.step++;
    if (env.terminated.data[0] || env.truncated.data[0]) {
      this.last = env.ended.return[0];
      this.episode++;
      this.step = 0;
    }
    return moment;
  }
}
