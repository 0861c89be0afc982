import { apply } from "../apply.ts";
import { fail } from "../errors.ts";
import { broadcastShapes, sameShape, show } from "../shape.ts";
import type { Tensor } from "../tensor.ts";
import { customGradient } from "../transform/custom.ts";
import { add, lt, maximum, mul, sub, tanh, where } from "./arithmetic.ts";
import { requireType } from "./check.ts";
import { perSetting, softmax } from "./composite.ts";
import { flash, hasFlash } from "./flash.ts";
import { lowerMask, segmentSum, take } from "./indexing.ts";
import { matmul } from "./linear.ts";
import { broadcastTo, expandDims, iota, transpose } from "./movement.ts";
import { sum } from "./reduce.ts";

/** Masking and scaling of scores. */
export interface AttentionOptions {
  /** Each position attends only to itself and earlier ones. */
  causal?: boolean;
  /** True where a query may attend to a key; broadcast to [..., queries, keys]. */
  mask?: Tensor;
  /**
   * Number of leading keys that the queries see (i32), broadcast to the axes before the last two. Later keys are not read and
   * take no time: a cache costs what it holds. A query that sees nothing gives 0. With `causal` the last query sees all of them
   * and each query before it one key fewer: a block of new positions at the end of a cache.
   */
  lengths?: Tensor;
  /**
   * Indices into the first axis of keys and values (i32 [batch]): item i of the queries attends to entry `rows[i]`, in place. Indices
   * may repeat; out-of-range ones are clamped. Only with `lengths` (default: item i attends to entry i).
   */
  rows?: Tensor;
  /** Factor of the scores (default 1/√width). */
  scale?: number;
  /** Soft cap of the scores: cap · tanh(score / cap). Not supported with `lengths`. */
  cap?: number;
}

/** Scaled dot-product attention on [..., positions, width]. */
export function attention(
  q: Tensor,
  k: Tensor,
  v: Tensor,
  { causal = false, mask, lengths, rows, scale, cap }: AttentionOptions = {},
): Tensor {
  const width = q.shape[q.rank - 1];
  if (k.shape[k.rank - 1] !== width)
    fail("attention", `queries ${show(q.shape)} and keys ${show(k.shape)} differ in width.`);
  const factor = scale ?? 1 / Math.sqrt(width);
  if (lengths) {
    if (mask || cap !== undefined)
      fail(
        "attention",
        "`lengths` cannot be combined with `mask` or `cap`. Express the lengths as a mask instead.",
      );
    const how = { scale: factor, causal };
    return rows ? attendRows(q, k, v, lengths, rows, how) : attendFirst(q, k, v, lengths, how);
  }
  if (!rows && !mask && cap === undefined) {
    const lead = broadcastShapes(
      broadcastShapes(q.shape.slice(0, -2), k.shape.slice(0, -2)) ?? [],
      v.shape.slice(0, -2),
    );
    const [a, b, c] = [q, k, v].map((t) => (lead ? broadcastTo(t, [...lead, ...t.shape.slice(-2)]) : t));
    if (lead && hasFlash(a, b, c)) return flash(a, b, c, { scale: factor, causal });
  }
  if (rows) fail("attention", "`rows` needs `lengths`. Use take(keys, rows) instead.");
  let scores = mul(matmul(q, transpose(k)), factor);
  const [queries, keys] = scores.shape.slice(-2);
  if (cap !== undefined) scores = mul(tanh(mul(scores, 1 / cap)), cap);
  // A large negative number rather than -∞: a fully masked row stays finite.
  if (causal) scores = where(lowerMask(queries, keys, keys - queries), scores, hidden);
  if (mask) scores = where(mask, scores, hidden);
  return matmul(softmax(scores), v);
}

const hidden = -1e30;

/** Brings the operands to one form, [..., queries or keys, width] with equal leading axes and a length for each of those. */
function attendFirst(q: Tensor, k: Tensor, v: Tensor, lengths: Tensor, how: Attend): Tensor {
  for (const t of [q, k, v]) requireType(t, ["f32"], "attention");
  requireType(lengths, ["i32"], "attention");
  const outer = [q, k, v].map((t) => t.shape.slice(0, -2));
  const lead = outer.reduce<readonly number[] | undefined>((a, b) => a && broadcastShapes(a, b), []);
  const fits = lead && broadcastShapes(lead, lengths.shape);
  const pairs = k.rank > 1 && v.rank > 1 && k.shape[k.rank - 2] === v.shape[v.rank - 2];
  if (q.rank < 2 || !lead || !fits || !sameShape(fits, lead) || !pairs)
    fail(
      "attention",
      `queries ${show(q.shape)}, keys ${show(k.shape)}, values ${show(v.shape)} and lengths ${show(lengths.shape)} do not match: each key needs a value, and lengths must broadcast to the axes before the last two.`,
    );
  const [a, b, c] = [q, k, v].map((t) => broadcastTo(t, [...lead, ...t.shape.slice(-2)]));
  return (how.causal ? attendCausal : attendAll)(how.scale)(a, b, c, broadcastTo(lengths, lead));
}

/** Attention to entries of keys and values by index: [entries, ..., keys, width], with the queries' axes between the first and the last two. */
function attendRows(q: Tensor, k: Tensor, v: Tensor, lengths: Tensor, rows: Tensor, how: Attend): Tensor {
  for (const t of [q, k, v]) requireType(t, ["f32"], "attention");
  for (const t of [lengths, rows]) requireType(t, ["i32"], "attention");
  const lead = q.shape.slice(0, -2);
  const fits = broadcastShapes(lead, lengths.shape);
  const alike = [k, v].every(
    (t) => t.rank === q.rank && t.shape[0] > 0 && sameShape(t.shape.slice(1, -2), lead.slice(1)),
  );
  const pairs = alike && sameShape(k.shape.slice(0, -1), v.shape.slice(0, -1));
  if (q.rank < 3 || !pairs || !fits || !sameShape(fits, lead) || !sameShape(rows.shape, [lead[0]]))
    fail(
      "attention",
      `queries ${show(q.shape)}, keys ${show(k.shape)}, values ${show(v.shape)}, lengths ${show(lengths.shape)} and rows ${show(rows.shape)} do not match: rows needs one index per entry of the first axis of the queries, and the axes between the first and the last two must be equal.`,
    );
  return (how.causal ? rowsCausal : rowsAll)(how.scale)(q, k, v, broadcastTo(lengths, lead), rows);
}

/** Attributes of the operation. */
interface Attend {
  readonly scale: number;
  readonly causal: boolean;
}

const attendAll = perSetting((scale: number) => attendOf({ scale, causal: false }));
const attendCausal = perSetting((scale: number) => attendOf({ scale, causal: true }));
const rowsAll = perSetting((scale: number) => attendRowsOf({ scale, causal: false }));
const rowsCausal = perSetting((scale: number) => attendRowsOf({ scale, causal: true }));

function node(inputs: readonly Tensor[], { scale, causal }: Attend): Tensor {
  const [q, , v] = inputs;
  const shape = [...q.shape.slice(0, -1), v.shape[v.rank - 1]];
  return apply("attend", inputs, { scale, ...(causal ? { causal } : {}) }, shape, "f32");
}

const attendOf = (how: Attend) =>
  customGradient(
    (q: Tensor, k: Tensor, v: Tensor, lengths: Tensor) => node([q, k, v, lengths], how),
    (g, _, ...inputs) => [...gradientOf(how, g, ...inputs), null],
  );

const attendRowsOf = (how: Attend) =>
  customGradient(
    (q: Tensor, k: Tensor, v: Tensor, lengths: Tensor, rows: Tensor) => node([q, k, v, lengths, rows], how),
    (g, _, q, k, v, lengths, rows) => {
      const [dq, dk, dv] = gradientOf(how, g, q, take(k, rows), take(v, rows), lengths);
      return [dq, segmentSum(dk, rows, k.shape[0]), segmentSum(dv, rows, v.shape[0]), null, null];
    },
  );

/** The gradient of masked attention over all keys: hidden keys take time here. */
function gradientOf(
  { scale, causal }: Attend,
  g: Tensor,
  q: Tensor,
  keys: Tensor,
  values: Tensor,
  lengths: Tensor,
): Tensor[] {
  const positions = iota([keys.shape[keys.rank - 2]]);
  const last = expandDims(expandDims(lengths, -1), -1);
  const queries = q.shape[q.rank - 2];
  const own = causal ? add(sub(maximum(last, 0), queries - 1), expandDims(iota([queries]), -1)) : last;
  const seen = lt(positions, own);
  // Keys beyond the length may hold NaN, and 0 · NaN is NaN.
  const there = lt(expandDims(positions, -1), last);
  const [k, v] = [where(there, keys, 0), where(there, values, 0)];
  const scores = where(seen, mul(matmul(q, transpose(k)), scale), hidden);
  const p = where(seen, softmax(scores), 0);
  const towards = matmul(g, transpose(v));
  const slope = mul(mul(p, sub(towards, sum(mul(towards, p), { axis: -1, keepDims: true }))), scale);
  return [matmul(slope, k), matmul(transpose(slope), q), matmul(transpose(p), g)];
}
