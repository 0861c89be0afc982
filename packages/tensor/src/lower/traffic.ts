import type { Node } from "../graph.ts";
import type { Reading } from "./reading.ts";
import type { Unit } from "./unit.ts";
import type { Units } from "./units.ts";

/** Values that go through memory between units. */
export interface Traffic {
  /** Nodes that other units, or the caller, read from memory. */
  readonly stored: Set<Node>;
  /** The units that read each of them. */
  readonly readers: Map<Node, Set<Unit>>;
}

/** Records that `unit` reads `base` from memory. */
export function noteRead({ stored, readers }: Traffic, base: Node, unit: Unit): void {
  stored.add(base);
  readers.set(base, (readers.get(base) ?? new Set()).add(unit));
}

/** The nodes that must be in memory and their readers, for the current units. */
export function trafficOf(units: Units, reading: Reading, results: readonly Node[]): Traffic {
  const traffic: Traffic = { stored: new Set(results), readers: new Map() };
  for (const u of units.list)
    for (const n of u.nodes)
      for (const base of reading.all(u, n))
        if (u.kind === "opaque" || units.of.get(base) !== u) noteRead(traffic, base, u);
  return traffic;
}
