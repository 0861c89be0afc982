import type { Cache, Gpt, GptParams, GptState } from "@reins/nn";
import { compile, type Tensor, zeros } from "@reins/tensor";
import { copyPositions } from "./rows.ts";

/** What a text's beginning is: the tokens, and how many of them lie on the desk already. */
export interface Beginning {
  readonly before: readonly number[];
  readonly from: number;
}

/** Where the beginnings of new texts are read, many at a time, before their rows get what they leave. */
export class Desk {
  private readonly model: Gpt;
  private params: GptParams;
  private readonly capacity: number;
  private state: GptState;
  private readonly step: (params: GptParams, state: GptState, tokens: Tensor) => Cache[];

  constructor(model: Gpt, params: GptParams, capacity: number) {
    this.model = model;
    this.params = params;
    this.capacity = capacity;
    this.state = model.start(1, { maximum: capacity, perRow: true });
    this.step = compile(
      (p: GptParams, state: GptState, tokens: Tensor) => model.step(p, tokens, state).state.caches,
      { name: "read prompts" },
    );
  }

  /** Goes on with other weights. */
  use(params: GptParams): void {
    this.params = params;
  }

  /** Lays a copy of what a row holds in a place; says how much that is. */
  lay(place: number, caches: readonly Cache[], row: number, length: number): number {
    if (place >= this.state.position.size) this.widen(2 * this.state.position.size);
    if (length > 0) caches.forEach((c, i) => copyPositions(c, row, this.state.caches[i], place, length));
    return length;
  }

  private widen(count: number): void {
    const wide = this.model.start(count, { maximum: this.capacity, perRow: true });
    for (let place = 0; place < this.state.position.size; place++)
      this.state.caches.forEach((c, i) => copyPositions(c, place, wide.caches[i], place, this.capacity));
    this.state = wide;
  }

  /** Reads what is not there yet of each beginning, and hands every place on. */
  read<B extends Beginning>(beginnings: readonly B[], take: (place: number, beginning: B) => void): void {
    const longest = Math.max(0, ...beginnings.map((b) => b.before.length - b.from));
    if (longest > 0) {
      const count = this.state.position.size;
      const length = Math.min(this.capacity, 16 * Math.ceil(longest / 16));
      const tokens = zeros([count, length], "i32");
      beginnings.forEach(({ before, from }, place) => {
        tokens.data.set(before.slice(from), place * length);
        this.state.position.data[place] = from;
      });
      const read = this.step(this.params, this.state, tokens);
      read.forEach((c, i) => {
        this.state.caches[i].keys = c.keys;
        this.state.caches[i].values = c.values;
      });
    }
    beginnings.forEach((b, place) => take(place, b));
  }

  /** Puts the first `length` positions of a place into a row. */
  give(place: number, caches: readonly Cache[], row: number, length: number): void {
    caches.forEach((c, i) => copyPositions(this.state.caches[i], place, c, row, length));
  }
}
