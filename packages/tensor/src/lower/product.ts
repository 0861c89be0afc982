import type { Node } from "../graph.ts";
import { sizeOf, stridesOf } from "../shape.ts";
import { equal } from "./affine.ts";
import { copyKernel } from "./copy.ts";
import type { Fusion } from "./fuse.ts";
import type { Level } from "./level.ts";
import { members } from "./members.ts";
import { type Strided, stridedView, whole } from "./strided-view.ts";
import type { Unit } from "./unit.ts";

/** Work that a product does for its only reader, which then needs no kernel: write in another order, or add a row. */
export interface Epilogue {
  /** The reader, whose memory the product writes. */
  readonly result: Node;
  readonly strides: readonly number[];
  readonly bias?: { readonly node: Node; readonly offset: number };
}

/** The work that the product can absorb from `reader`, the only unit that reads it. */
export function epilogueFor(product: Node, reader: Unit, fusion: Fusion): Epilogue | undefined {
  if (reader.kind !== "group" || reader.nodes.length !== 1 || reader.reduced) return undefined;
  const [node] = reader.nodes;
  const rank = product.shape.length;
  if (node.op === "permute" && node.inputs[0] === product) {
    const { axes } = node.attributes;
    const strides = stridesOf(node.shape);
    return axes[rank - 1] === rank - 1
      ? { result: node, strides: product.shape.map((_, a) => strides[axes.indexOf(a)]) }
      : undefined;
  }
  if (node.op !== "add") return undefined;
  const [m] = members(reader, fusion);
  const [own, other] =
    m.reads[0].kind === "memory" && m.reads[0].node === product ? m.reads : [m.reads[1], m.reads[0]];
  if (own.kind !== "memory" || own.node !== product || !equal(own.flat, m.home)) return undefined;
  if (other.kind !== "memory" || other.node === product) return undefined;
  const last = reader.dims.length - 1;
  const isRow =
    reader.dims[last] === product.shape[rank - 1] &&
    other.flat.coefficients.every((c, d) => c === (d === last ? 1 : 0));
  return isRow
    ? {
        result: node,
        strides: stridesOf(product.shape),
        bias: { node: other.node, offset: other.flat.constant },
      }
    : undefined;
}

/** A matrix product of views: batch dimensions with even steps are merged. */
export function matmulStep(node: Node, level: Level, epilogue?: Epilogue): void {
  const { fusion, draft, spotOf } = level;
  const { fast } = draft.options;
  const operand = ({ base, offset }: Strided) =>
    draft.advanced(fast ? level.halfOf(base) : spotOf(base), offset * (fast ? 2 : 4));
  const [a, b] = node.inputs.map((n) => stridedView(n, fusion));
  const rank = node.shape.length;
  const result = epilogue?.result ?? node;
  const [m, n] = node.shape.slice(-2);
  const k = a.shape[rank - 1];
  if (k === 0 && !epilogue) return level.call(copyKernel(0, whole(node), "fill"));
  const c = epilogue?.strides ?? whole(node).strides;
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
      m,
      n,
      k,
      batch,
      aStrides: [a.strides[rank - 2], a.strides[rank - 1]],
      bStrides: [b.strides[rank - 2], b.strides[rank - 1]],
      cRow: c[rank - 2],
      ...(fast ? { halves: level.isHalf(result) ? ("all" as const) : ("operands" as const) } : {}),
    },
    operand(a),
    operand(b),
    spotOf(result),
    { a: sizeOf(a.base.shape), b: sizeOf(b.base.shape), c: sizeOf(node.shape) },
    epilogue?.bias && draft.advanced(spotOf(epilogue.bias.node), epilogue.bias.offset * 4),
  );
}
