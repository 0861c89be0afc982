import { fail } from "@reins/core";
import type { Generated, Request } from "./sequence.ts";

/** How a text is asked for. */
export interface Asking {
  /** Gives up what nobody waits for any more: the promise fails with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Told of every token as it is drawn. */
  readonly seen?: (text: Generated) => void;
}

/** What a lane is one of. */
export interface Lanes {
  lane(): Promise<Lane>;
  /** @internal */
  write(lane: Lane, request: Request, asking: Asking): Promise<Generated>;
  /** @internal */
  copy(from: number, to: number): void;
  /** @internal */
  release(row: number): void;
}

/** A place among the texts that are written at the same time, with its caches: one conversation's, until it is closed. */
export class Lane {
  /** @internal */
  readonly row: number;
  private readonly live: Lanes;
  private busy = false;
  private closed = false;

  constructor(live: Lanes, row: number) {
    this.live = live;
    this.row = row;
  }

  /** Goes on from a prompt: of what the lane has read and written before, only what is new is read. One text at a time. */
  async write(request: Request, asking: Asking = {}): Promise<Generated> {
    if (this.closed) fail("lane", "it was closed, and another conversation may have it.");
    if (this.busy)
      fail("lane", "it is still writing. A second text at the same time needs a lane of its own.");
    this.busy = true;
    try {
      return await this.live.write(this, request, asking);
    } finally {
      this.busy = false;
      if (this.closed) this.live.release(this.row);
    }
  }

  /** Another lane that begins with all that this one has read and written. */
  async fork(): Promise<Lane> {
    const other = await this.live.lane();
    if (this.closed || this.busy) {
      other.close();
      fail("lane", `it ${this.closed ? "was closed" : "is still writing"}, and cannot be forked.`);
    }
    this.live.copy(this.row, other.row);
    return other;
  }

  /** Gives the place to the next; while it writes, as soon as that has ended. */
  close(): void {
    if (this.closed) return;
    this.closed = true;
    if (!this.busy) this.live.release(this.row);
  }
}
