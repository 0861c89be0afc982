import type { Gpt, GptState, KvCache } from "@reins/nn";
import { prefixView } from "@reins/tensor";

/**
 * Pool of KV caches for a maximum number of rows and positions, also used at smaller sizes: contiguous caches are
 * read twice as fast as the same positions with gaps between them. All sizes share the same bytes, so only one is in
 * use at a time.
 */
export class CachePool {
  readonly rows: number;
  private readonly whole: GptState;
  private readonly parts = new Map<string, GptState>();

  constructor(model: Gpt, rows: number, positions: number) {
    this.rows = rows;
    this.whole = model.start(rows, { maximum: positions, perRow: true });
  }

  /** KV caches of this many rows and positions, at most those of the pool. */
  at(rows: number, positions: number): GptState {
    const key = `${rows} ${positions}`;
    let part = this.parts.get(key);
    if (!part) {
      const cut = (t: KvCache["keys"]) => prefixView(t, [rows, t.shape[1], positions, t.shape[3]]);
      part = {
        caches: this.whole.caches.map(({ keys, values }) => ({ keys: cut(keys), values: cut(values) })),
        position: prefixView(this.whole.position, [rows]),
      };
      this.parts.set(key, part);
    }
    return part;
  }

  /** KV caches resized to another number of positions, keeping the contents that fit. */
  moved(from: GptState, positions: number): GptState {
    const [rows, , before] = from.caches[0].keys.shape;
    const to = this.at(rows, positions);
    for (const cache of this.whole.caches)
      for (const t of [cache.keys, cache.values])
        move(t.edit(), rows * t.shape[1], before, positions, t.shape[3]);
    return to;
  }
}

/** Spreads or compacts the rows of a buffer, in an order that overwrites none before it has moved. */
function move(data: KvCache["keys"]["data"], count: number, from: number, to: number, width: number): void {
  const kept = Math.min(from, to) * width;
  for (let k = 0; k < count; k++) {
    const i = to > from ? count - 1 - k : k;
    data.copyWithin(i * to * width, i * from * width, i * from * width + kept);
  }
}

/** Positions for texts of this length: 32, 64, 96, 128, 192, 256, 384 … Few sizes mean few compiled steps. */
export function sizeFor(longest: number): number {
  const power = 2 ** Math.ceil(Math.log2(Math.max(longest, 32)));
  return power > 64 && longest <= 0.75 * power ? 0.75 * power : power;
}
