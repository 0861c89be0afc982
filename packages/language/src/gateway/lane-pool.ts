import type { Lane } from "../generation/lane.ts";
import type { LiveGenerator } from "../generation/live.ts";

/**
 * A pool of slots for conversations that may continue: a returning conversation gets its old slot, unless another
 * needed it.
 */
export class LanePool {
  private readonly live: LiveGenerator;
  /** Idle slots by the reply whose tokens they hold; the least recently used first. */
  private readonly resting = new Map<object, { readonly lane: Lane; readonly owner: object }>();

  constructor(live: LiveGenerator) {
    this.live = live;
  }

  /** The slot stored under a key, or another if it was reassigned. */
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

  /** Stores a slot under a key for its owner. If others wait, it is released to them. */
  rest(key: object, lane: Lane, owner: object): void {
    if (this.live.waiting > 0) lane.close();
    else this.resting.set(key, { lane, owner });
  }

  /** Releases the idle slots of an owner. */
  leave(owner: object): void {
    for (const [key, own] of this.resting)
      if (own.owner === owner) {
        this.resting.delete(key);
        own.lane.close();
      }
  }

  /** Releases all idle slots. */
  clear(): void {
    for (const { lane } of this.resting.values()) lane.close();
    this.resting.clear();
  }
}
