import { numbers } from "../math/algebra.ts";
import { elementwise } from "../math/elementwise.ts";
import { sizeOf } from "../shape.ts";
import type { Evaluator } from "./evaluator.ts";

/**
 * Attention of each query to the first keys of its item, or of the entry that `rows` names; `causal` hides one key more from each query
 * before the last.
 */
export const attend: Evaluator<"attend"> = ([q, k, v, lengths, rows], { scale, causal }, out, shape) => {
  const [queries, wide] = shape.slice(-2);
  const [slots, width] = k.shape.slice(-2);
  const items = sizeOf(shape.slice(0, -2));
  // Items of one entry of the first axis.
  const inner = rows ? items / shape[0] : 1;
  for (let item = 0; item < items; item++) {
    const row = rows ? Math.max(0, Math.min(k.shape[0] - 1, rows.data[Math.floor(item / inner)])) : item;
    const from = row * inner + (item % inner);
    for (let i = item * queries; i < (item + 1) * queries; i++) {
      const later = causal ? (item + 1) * queries - 1 - i : 0;
      const seen = Math.max(0, Math.min(slots, lengths.data[item] - later));
      const weights = Array.from({ length: seen }, (_, p) => {
        let score = 0;
        for (let d = 0; d < width; d++)
          score += q.data[i * width + d] * k.data[(from * slots + p) * width + d];
        // Overflows to infinity, as in compiled code.
        return Math.fround(score) * scale;
      });
      const top = weights.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
      // Not Math.exp, which is not the same on every machine.
      weights.forEach((s, p) => (weights[p] = elementwise.exp(numbers, "f32", {}, [Math.fround(s - top)])));
      const total = weights.reduce((a, b) => a + b, 0);
      for (let d = 0; d < wide; d++) {
        let value = 0;
        weights.forEach((w, p) => (value += w * v.data[(from * slots + p) * wide + d]));
        out[i * wide + d] = seen > 0 ? value / total : 0;
      }
    }
  }
};
