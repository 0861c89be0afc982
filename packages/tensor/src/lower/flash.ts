import type { Node, NodeOf } from "../graph.ts";
import { sizeOf, stridesOf } from "../shape.ts";
import type { Fusion } from "./fuse.ts";
import type { Level } from "./level.ts";
import { type Strided, stridedView } from "./strided-view.ts";

/** The operands of flash attention that are read as bf16: queries, keys, values and the gradients of outputs. */
export function flashOperands(
  node: Node,
  fusion: Fusion,
): { readonly halves: Strided[]; readonly full: Strided[] } {
  const views = node.inputs.map((n) => {
    const view = stridedView(n, fusion);
    if (n.shape.length < 2 || view.strides[n.shape.length - 1] === 1) return view;
    return { base: fusion.contiguous(n), offset: 0, strides: stridesOf(n.shape), shape: n.shape };
  });
  return {
    halves: views.filter((_, i) => i < 3 || i === 4),
    full: views.filter((_, i) => i === 3 || i === 5),
  };
}

/** A step of flash attention. Leading axes with even steps are merged. */
export function flashStep(node: NodeOf<"flash">, level: Level): void {
  const { fusion, draft, spotOf } = level;
  const { part, scale, causal } = node.attributes;
  const { halves, full } = flashOperands(node, fusion);
  const [q, k, v, g = q] = halves;
  const rank = q.shape.length;
  const lead: { extent: number; q: number; k: number; v: number; g: number }[] = [];
  for (let i = 0; i < rank - 2; i++) {
    const extent = q.shape[i];
    if (extent === 1) continue;
    const next = { extent, q: q.strides[i], k: k.strides[i], v: v.strides[i], g: g.strides[i] };
    const last = lead[lead.length - 1];
    const merges = last && (["q", "k", "v", "g"] as const).every((x) => last[x] === next[x] * extent);
    if (merges) lead[lead.length - 1] = { ...next, extent: last.extent * extent };
    else lead.push(next);
  }
  const [all, sums] = full;
  const operand = ({ base, offset }: Strided) => draft.advanced(level.halfOf(base), offset * 2);
  const plain = ({ base, offset }: Strided) => draft.advanced(spotOf(base), offset * 4);
  const rowOf = (x: Strided) => x.strides[rank - 2];
  draft.flash(
    {
      ...{ part, scale, causal, lead, queries: q.shape[rank - 2], keys: k.shape[rank - 2] },
      width: q.shape[rank - 1],
      rows: { q: rowOf(q), k: rowOf(k), v: rowOf(v), g: rowOf(g) },
      aligned: halves.every((x) => x.offset % 8 === 0),
    },
    {
      ...{ q: operand(q), k: operand(k), v: operand(v), out: spotOf(node) },
      ...(all ? { all: plain(all), g: operand(g), sums: plain(sums) } : {}),
    },
    { members: sizeOf(q.shape.slice(0, -2)), out: sizeOf(node.shape) },
  );
}
