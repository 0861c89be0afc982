import type { Node, Op } from "../graph.ts";
import type { OpaqueOp } from "../primitives.ts";
import { stridesOf } from "../shape.ts";
import { equal, flatten, home } from "./affine.ts";
import type { Spot } from "./draft.ts";
import { bytesOf, type Level } from "./level.ts";
import { members } from "./members.ts";
import { isWhole, stridedView } from "./strided-view.ts";
import type { Unit } from "./unit.ts";

/**
 * Writes results directly to their destination if its current contents are no longer needed. Returns the copies that remain to be
 * done at the end.
 */
export function placeResults(level: Level, wanted: readonly Spot[]): () => void {
  const { fusion, draft } = level;
  const copies: { from: () => Spot; to: Spot; bytes: number }[] = [];
  wanted.forEach((spot, i) => {
    const node = fusion.results[i];
    const unit = fusion.unitOf.get(node);
    const bytes = bytesOf(node);
    if (!unit) {
      // An input is returned. Its value may be overwritten before the end, so it is copied now.
      const held = draft.temporary(bytes);
      draft.copy(level.spotOf(node), held, bytes);
      copies.push({ from: () => held, to: spot, bytes });
    } else if (!level.placeOf(node) && mayWrite(node, unit, spot, level)) level.put(node, spot);
    else copies.push({ from: () => level.spotOf(node), to: spot, bytes });
  });
  return () => {
    for (const { from, to, bytes } of copies) draft.copy(from(), to, bytes);
  };
}

/** Whether `node` may be written to `spot` as soon as `unit` computes it. */
function mayWrite(node: Node, unit: Unit, spot: Spot, level: Level): boolean {
  const { fusion } = level;
  const owner = level.ownerOf(spot);
  if (!owner) return true;
  if (level.isResult(owner) || level.isReadAfter(owner, unit)) return false;
  if (!fusion.readers.get(owner)?.has(unit)) return true;
  if (unit.kind === "opaque")
    return (
      updates.has(node.op) &&
      isWhole(stridedView(node.inputs[0], fusion)) &&
      node.inputs.slice(1).every((n) => stridedView(n, fusion).base !== owner)
    );
  if (unit.reduced) return false;
  const target = flatten(home(node.shape, unit.dims)!, stridesOf(node.shape), unit.dims);
  return members(unit, fusion).every(
    (m) =>
      m.table?.node !== owner &&
      m.reads.every((r) => r.kind !== "memory" || r.node !== owner || equal(r.flat, target)),
  );
}

/** Operations that modify a part of their first argument. */
const updates: ReadonlySet<Op> = new Set<OpaqueOp>(["dynamicUpdate", "scatter"]);
