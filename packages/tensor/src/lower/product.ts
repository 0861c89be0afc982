import type { Node } from "../graph.ts";
import { sizeOf } from "../shape.ts";
import type { Draft, Spot } from "./draft.ts";
import type { Fusion } from "./fuse.ts";
import { copyKernel, stridedView, whole } from "./strided.ts";

/** A matrix product of views: batch dimensions that step evenly are joined. */
export function matmulStep(node: Node, fusion: Fusion, draft: Draft, spotOf: (n: Node) => Spot): void {
  const [a, b] = node.inputs.map((n) => stridedView(n, fusion));
  const rank = node.shape.length;
  const [m, n] = node.shape.slice(-2);
  const k = a.shape[rank - 1];
  if (k === 0) return draft.call(copyKernel(0, whole(node), "fill"), spotOf);
  const c = whole(node).strides;
  const batch: { extent: number; a: number; b: number; c: number }[] = [];
  for (let i = 0; i < rank - 2; i++) {
    const extent = node.shape[i];
    if (extent === 1) continue;
    const next = { extent, a: a.strides[i], b: b.strides[i], c: c[i] };
    const last = batch[batch.length - 1];
    if (last && last.a === next.a * extent && last.b === next.b * extent && last.c === next.c * extent) {
      batch[batch.length - 1] = { ...next, extent: last.extent * extent };
    } else batch.push(next);
  }
  draft.gemm(
    {
      m, n, k, batch,
      aStrides: [a.strides[rank - 2], a.strides[rank - 1]],
      bStrides: [b.strides[rank - 2], b.strides[rank - 1]],
      cRow: n,
    },
    draft.advanced(spotOf(a.base), a.offset * 4),
    draft.advanced(spotOf(b.base), b.offset * 4),
    spotOf(node),
    { a: sizeOf(a.base.shape), b: sizeOf(b.base.shape), c: sizeOf(node.shape) },
  );
}
