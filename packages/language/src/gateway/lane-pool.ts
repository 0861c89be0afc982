import type { Lane } from "../generation/lane.ts";
import type { LiveGenerator } from "../generation/live.ts";

/** Lanes of conversations that may go on or not: who comes back finds the one it had, until another needs it. */
export class LanePool {
  private readonly live: LiveGenerator;
  /** Lanes that rest, by the tokens' end that they hold; the one that rested longest comes first. */
  private readonly resting = new Map<object, { readonly lane: Lane; readonly owner: object }>();

  constructor(live: LiveGenerator) {
    this.live = live;
  }

  /** The lane that was rested under a key; another where it is gone. */
  async take(key?: object): Promise<Lane> {
    const own = key && this.resting.get(key);
    if (own) {
      this.resting.delete(key);
      return own.lane;
    }
    const [oldest] = this.resting;
    if (this.live.vacant === 0 && oldest) {
      this.resting.delete(oldest[0]);
      oldest[1].lane.close();
    }
    return this.live.lane();
  }

  /** Lets a lane rest under a key, for whoever owns it. With others waiting it is given to them. */
  rest(key: object, lane: Lane, owner: object): void {
    if (this.live.waiting > 0) lane.close();
    else this.resting.set(key, { lane, owner });
  }

  /** Gives away what rests for somebody who does not come back. */
  leave(owner: object): void {
    for (const [key, own] of this.resting)
      if (own.owner === owner) {
        this.resting.delete(key);
        own.lane.close();
      }
  }

  /** Gives all that rest away. */
  clear(): void {
    for (const { lane } of this.resting.values()) lane.close();
    this.resting.clear();
  }
}
