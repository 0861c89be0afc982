import { fail } from "@reins/core";
import type { Generated, Request } from "./sequence.ts";

/** Options of one generation in a slot. */
export interface GenerateOptions {
  /** Cancels the generation: the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Called after every sampled token. */
  readonly onToken?: (text: Generated) => void;
}

/** A generator that hands out slots. */
export interface SlotProvider {
  slot(): Promise<Slot>;
  /** @internal */
  write(slot: Slot, request: Request, options: GenerateOptions): Promise<Generated>;
  /** @internal */
  copy(from: number, to: number): void;
  /** @internal */
  release(row: number): void;
  /** @internal */
  reused(row: number): number;
}

/** A slot of the batch with its KV cache, held by one conversation until it is closed. */
export class Slot {
  /** @internal */
  readonly row: number;
  private readonly live: SlotProvider;
  private busy = false;
  private closed = false;

  constructor(live: SlotProvider, row: number) {
    this.live = live;
    this.row = row;
  }

  /** Number of tokens of the latest prompt that were found in a KV cache. */
  get cached(): number {
    return this.live.reused(this.row);
  }

  /** Continues a prompt. Tokens already in the slot's KV cache are not computed again. One text at a time. */
  async write(request: Request, options: GenerateOptions = {}): Promise<Generated> {
    if (this.closed) fail("slot", "the slot is closed. Request a new one with slot().");
    if (this.busy) fail("slot", "the slot is still generating. Use another slot for a second text.");
    this.busy = true;
    try {
      return await this.live.write(this, request, options);
    } finally {
      this.busy = false;
      if (this.closed) this.live.release(this.row);
    }
  }

  /** A new slot with a copy of this slot's KV cache. */
  async fork(): Promise<Slot> {
    const other = await this.live.slot();
    if (this.closed || this.busy) {
      other.close();
      fail("slot", `the slot ${this.closed ? "is closed" : "is still generating"} and cannot be forked.`);
    }
    this.live.copy(this.row, other.row);
    return other;
  }

  /** Releases the slot; if it is generating, as soon as that text ends. */
  close(): void {
    if (this.closed) return;
    this.closed = true;
    if (!this.busy) this.live.release(this.row);
  }
}
