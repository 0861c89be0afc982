import type { LiveGenerator } from "../generation/live.ts";
import type { Slot } from "../generation/slot.ts";

/**
 * A pool of slots for conversations that may continue: a returning conversation gets its old slot, unless another
 * needed it.
 */
export class SlotPool {
  private readonly live: LiveGenerator;
  /** Idle slots by the reply whose tokens they hold; the least recently used first. */
  private readonly idle = new Map<object, { readonly slot: Slot; readonly owner: object }>();

  constructor(live: LiveGenerator) {
    this.live = live;
  }

  /** The slot stored under a key, or another if it was reassigned. A cancelled caller stops waiting at once. */
  async take(key?: object, signal?: AbortSignal): Promise<Slot> {
    signal?.throwIfAborted();
    const waiting = this.next(key);
    if (!signal) return waiting;
    let abort = () => {};
    const cancelled = new Promise<never>((_, failed) => {
      abort = () => failed(signal.reason);
    });
    signal.addEventListener("abort", abort);
    try {
      return await Promise.race([waiting, cancelled]);
    } catch (error) {
      void waiting.then((slot) => slot.close());
      throw error;
    } finally {
      signal.removeEventListener("abort", abort);
    }
  }

  private async next(key?: object): Promise<Slot> {
    const own = key && this.idle.get(key);
    if (own) {
      this.idle.delete(key);
      return own.slot;
    }
    const [oldest] = this.idle;
    if (this.live.vacant === 0 && oldest) {
      this.idle.delete(oldest[0]);
      oldest[1].slot.close();
    }
    return this.live.slot();
  }

  /** Stores a slot under a key for its owner. If others wait, it is released to them. */
  rest(key: object, slot: Slot, owner: object): void {
    if (this.live.waiting > 0) slot.close();
    else this.idle.set(key, { slot, owner });
  }

  /** Releases the idle slots of an owner. */
  leave(owner: object): void {
    for (const [key, own] of this.idle)
      if (own.owner === owner) {
        this.idle.delete(key);
        own.slot.close();
      }
  }

  /** Releases all idle slots. */
  clear(): void {
    for (const { slot } of this.idle.values()) slot.close();
    this.idle.clear();
  }
}
