import {
  add,
  and,
  dynamicUpdate,
  expandDims,
  gt,
  iota,
  le,
  minimum,
  mul,
  reshape,
  scatter,
  sub,
  type Tensor,
  zeros,
} from "@reins/tensor";
import { fail, show } from "../errors.ts";

/** KV cache of earlier positions: [batch, heads, maximum, width] each, so that each head is contiguous. Updated in place when donated. */
export type KvCache = { keys: Tensor; values: Tensor };

/** An empty cache for `maximum` positions. */
export function emptyCache(batch: number, maximum: number, heads: number, width: number): KvCache {
  return { keys: zeros([batch, heads, maximum, width]), values: zeros([batch, heads, maximum, width]) };
}

/** The positions of `count` new tokens: [count] from a scalar start, [batch, count] from one start per row. */
export function positionIds(start: Tensor, count: number): Tensor {
  if (start.rank > 1 || start.dtype !== "i32")
    fail(
      "positions",
      `expected an i32 position, a scalar or one per row, but got ${start.dtype}${show(start.shape)}.`,
    );
  return add(start.rank ? expandDims(start, -1) : start, iota([count]));
}

/**
 * `cache` with new keys and values from `start` on: a scalar for all rows (one block write), or [batch] (a scatter). With `rows` (i32
 * [batch]), item i is written to row `rows[i]` of the cache. Positions beyond the maximum overwrite the last.
 */
export function writeCache(
  cache: KvCache,
  keys: Tensor,
  values: Tensor,
  start: Tensor,
  rows?: Tensor,
): KvCache {
  if (keys.shape[2] > cache.keys.shape[2]) {
    fail(
      "cache",
      `${keys.shape[2]} new positions exceed a cache of ${cache.keys.shape[2]}. Create it with a larger maximum.`,
    );
  }
  if (rows) return writeRows(cache, keys, values, start, rows);
  if (start.rank === 0)
    return {
      keys: dynamicUpdate(cache.keys, keys, start, 2),
      values: dynamicUpdate(cache.values, values, start, 2),
    };
  const [batch, , count] = keys.shape;
  const slots = reshape(positionIds(start, count), [batch, 1, count, 1]);
  return { keys: scatter(cache.keys, slots, keys, 2), values: scatter(cache.values, slots, values, 2) };
}

/** The rows of all heads as one axis, into which blocks of any row are written in place. */
function writeRows(cache: KvCache, keys: Tensor, values: Tensor, start: Tensor, rows: Tensor): KvCache {
  const { shape } = cache.keys;
  const [, heads, maximum] = shape;
  const [batch, , count] = keys.shape;
  const positions = minimum(reshape(positionIds(start, count), [-1, 1, count]), maximum - 1);
  const lines = add(reshape(mul(rows, heads), [batch, 1, 1]), reshape(iota([heads]), [heads, 1]));
  const slots = reshape(add(mul(lines, maximum), positions), [-1, 1]);
  const write = (t: Tensor, x: Tensor) =>
    reshape(scatter(reshape(t, [-1, x.shape[3]]), slots, reshape(x, [-1, x.shape[3]]), 0), t.shape);
  return { keys: write(cache.keys, keys), values: write(cache.values, values) };
}

/**
 * The slots, of `maximum`, that each new position may attend to: those up to itself, at most `window` of them; [count, maximum] or
 * [batch, 1, count, maximum].
 */
export function cacheMask(positions: Tensor, maximum: number, window = maximum): Tensor {
  const wide = expandDims(positions.rank === 2 ? expandDims(positions, 1) : positions, -1);
  const slots = iota([maximum]);
  const before = le(slots, wide);
  return window < maximum ? and(before, gt(slots, sub(wide, window))) : before;
}
