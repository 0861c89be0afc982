import type { Node } from "../graph.ts";
import type { Block } from "./memory.ts";

/** Memory that a step touches: a block, whose place in the arena is known, or all of a buffer. */
export interface Touched {
  readonly spot: { readonly buffer: number; readonly block?: Block };
  readonly writes: boolean;
  /** Of steps that write separate parts of a result: the operation they share. */
  readonly parts?: Node;
}

interface Span {
  readonly buffer: number;
  readonly low: number;
  readonly high: number;
}

/** Decides which steps wait for all before them: those that touch memory touched since the last that waited, if one of the two writes. */
export class Barriers {
  private pending: (Span & Touched)[] = [];
  private first = true;

  /** The start or end of a loop, where the next step waits in any case. */
  restart(): void {
    this.pending = [];
    this.first = true;
  }

  /** Whether a barrier must come before a step. */
  before(accesses: readonly Touched[]): boolean {
    const mine = accesses.map((a) => ({ ...a, ...spanOf(a) }));
    const waits = this.first || mine.some((x) => this.pending.some((y) => clashes(x, y)));
    this.first = false;
    this.pending = waits ? mine : [...this.pending, ...mine];
    return waits;
  }
}

/** Whether one of two accesses must wait for the other. */
function clashes(x: Span & Touched, y: Span & Touched): boolean {
  if (x.buffer !== y.buffer || x.low >= y.high || y.low >= x.high) return false;
  if (x.writes && y.writes && x.parts && x.parts === y.parts) return false;
  return x.writes || y.writes;
}

/** The bytes that an access may touch in any iteration: its block, or all of its buffer. */
function spanOf({ spot: { buffer, block } }: Touched): Span {
  if (!block) return { buffer, low: 0, high: Number.MAX_SAFE_INTEGER };
  return { buffer, low: block.offset, high: block.offset + block.bytes };
}
