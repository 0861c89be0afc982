import type { NodeOf } from "../graph.ts";
import {
  attendTile,
  itemsOf,
  mostAttendAxes,
  mostKeyWidth,
  mostValueWidth,
  queriesTogether,
  splitFloats,
} from "../kernel/attend-step.ts";
import { sizeOf } from "../shape.ts";
import type { Level } from "./level.ts";
import { type Strided, stridedView } from "./strided-view.ts";

/** Blocks that keep a large GPU busy, and the most among which the keys of an item are divided. */
const busy = 132;
const mostSplits = 16;
/** Maximum extent of a grid's y axis. */
const mostRows = 65535;

/** Writes attention as a step of its own, on devices; false if its form has no kernel of its own. */
export function attendStep(node: NodeOf<"attend">, level: Level): boolean {
  const { draft, fusion, spotOf } = level;
  const [q, k, v, lengths, rows] = node.inputs.map((n) => stridedView(n, fusion));
  const axes = node.shape.slice(0, -2);
  const [queries, wide] = node.shape.slice(-2);
  const [slots, width] = k.shape.slice(-2);
  const outermost = (i: number) => rows !== undefined && i === 0;
  const lead = axes.flatMap((extent, i) =>
    extent === 1 && !outermost(i)
      ? []
      : [
          {
            ...{ extent, q: q.strides[i], k: k.strides[i], v: v.strides[i] },
            lengths: lengths.strides[i],
          },
        ],
  );
  const items = itemsOf(lead);
  /** Whether rows of the last axis are read in vectors of 16 bytes. */
  const inVectors = ({ base, offset, strides }: Strided) =>
    strides[strides.length - 1] === 1 &&
    [offset, ...strides.slice(0, -1)].every((s) => s % 4 === 0) &&
    (spotOf(base).advance ?? []).every(({ stride }) => stride % 16 === 0) &&
    spotOf(base).offset % 16 === 0;
  const blocks = items * Math.ceil(queries / queriesTogether(queries));
  const fits =
    [width, wide].every((n) => n > 0 && n % 4 === 0) &&
    width <= mostKeyWidth &&
    wide <= mostValueWidth &&
    lead.length <= mostAttendAxes &&
    slots > 0 &&
    queries / queriesTogether(queries) <= mostRows &&
    [k, v].every(inVectors);
  if (!fits) return false;
  const wanted = blocks < busy ? Math.ceil((2 * busy) / blocks) : 1;
  const splits = Math.min(mostSplits, Math.ceil(slots / attendTile), wanted);
  const sizes = { lead, queries, splits, wide };
  const room = splits > 1 ? { bytes: 4 * splitFloats(sizes) } : undefined;
  const partial = room && { spot: draft.temporary(room.bytes), bytes: room.bytes, writes: true };
  const half = level.isHalf(node);
  const out = { spot: spotOf(node), bytes: sizeOf(node.shape) * (half ? 2 : 4), writes: true };
  const read = ({ base, offset }: Strided) => ({
    spot: draft.advanced(spotOf(base), offset * 4),
    bytes: 4 * sizeOf(base.shape),
    writes: false,
  });
  const reads = [q, k, v, lengths, ...(rows ? [rows] : [])].map(read);
  const [qAt, kAt, vAt, lengthsAt, rowsAt] = reads;
  const inner = (view: Strided) => [view.strides[axes.length], view.strides[axes.length + 1]] as const;
  const bytes = 4 * items * slots * (width + wide);
  draft.add(
    (place) => ({
      kind: "attend",
      q: place(qAt.spot),
      k: place(kAt.spot),
      v: place(vAt.spot),
      lengths: place(lengthsAt.spot),
      out: place(out.spot),
      ...(rows ? { rows: { place: place(rowsAt.spot), stride: rows.strides[0], entries: k.shape[0] } } : {}),
      ...(partial ? { partial: place(partial.spot) } : {}),
      ...sizes,
      ...{ slots, width, half },
      scale: node.attributes.scale,
      causal: node.attributes.causal ?? false,
      qStrides: inner(q),
      kRow: inner(k)[0],
      vRow: inner(v)[0],
      barrier: false,
    }),
    [...reads, out, ...(partial ? [partial] : [])],
    { label: "attend", flop: 2 * items * queries * slots * (width + wide), bytes },
  );
  return true;
}
