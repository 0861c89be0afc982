import type { Node } from "../graph.ts";
import type { Level } from "./level.ts";
import { type Epilogue, epilogueFor } from "./product.ts";
import type { Unit } from "./unit.ts";

/** Work that products do for their only readers, and those readers, which then need no kernel. */
export interface Epilogues {
  readonly epilogues: ReadonlyMap<Node, Epilogue>;
  readonly absorbed: ReadonlySet<Unit>;
}

/** A product whose only reader adds a row or reorders absorbs that work. */
export function absorbReaders(level: Level): Epilogues {
  const { fusion } = level;
  const epilogues = new Map<Node, Epilogue>();
  const absorbed = new Set<Unit>();
  for (const unit of fusion.units) {
    const [node] = unit.nodes;
    if (unit.kind !== "opaque" || node.op !== "matmul" || level.isResult(node)) continue;
    const [reader, ...others] = fusion.readers.get(node) ?? [];
    const e = reader && others.length === 0 ? epilogueFor(node, reader, fusion) : undefined;
    const wanted = e && level.placeOf(e.result);
    if (!e || (wanted && level.ownerOf(wanted))) continue;
    // The row must be computed before the product, which runs first.
    const row = e.bias && fusion.unitOf.get(e.bias.node);
    if (row && level.isBefore(unit, row)) continue;
    epilogues.set(node, e);
    absorbed.add(reader);
  }
  return { epilogues, absorbed };
}
