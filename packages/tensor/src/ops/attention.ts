import { apply } from "../apply.ts";
import { fail } from "../errors.ts";
import { broadcastShapes, sameShape, show } from "../shape.ts";
import type { Tensor } from "../tensor.ts";
import { customGradient } from "../transform/custom.ts";
import { add, lt, maximum, mul, sub, tanh, where } from "./arithmetic.ts";
import { requireType } from "./check.ts";
import { perSetting, softmax } from "./composite.ts";
import { lowerMask } from "./indexing.ts";
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
  { causal = false, mask, lengths, scale, cap }: AttentionOptions = {},
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
    return attendFirst(q, k, v, lengths, { scale: factor, causal });
  }
  let scores = mul(matmul(q, transpose(k)), factor);
  const [rows, columns] = scores.shape.slice(-2);
  if (cap !== undefined) scores = mul(tanh(mul(scores, 1 / cap)), cap);
  // A large negative number rather than -∞: a fully masked row stays finite.
  if (causal) scores = where(lowerMask(rows, columns, columns - rows), scores, hidden);
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

/** Attributes of the operation. */
interface Attend {
  readonly scale: number;
  readonly causal: boolean;
}

const attendAll = perSetting((scale: number) => attendOf({ scale, causal: false }));
const attendCausal = perSetting((scale: number) => attendOf({ scale, causal: true }));

const attendOf = ({ scale, causal }: Attend) =>
  customGradient(
    (q: Tensor, k: Tensor, v: Tensor, lengths: Tensor) => {
      const shape = [...q.shape.slice(0, -1), v.shape[v.rank - 1]];
      return apply("attend", [q, k, v, lengths], { scale, ...(causal ? { causal } : {}) }, shape, "f32");
    },
    // The gradient of masked attention over all keys: hidden keys take time here.
    (g, _, q, keys, values, lengths) => {
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
      return [matmul(slope, k), matmul(transpose(slope), q), matmul(transpose(p), g), null];
    },
  );
