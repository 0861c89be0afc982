import type { Setting } from "./batch.ts";
import type { BackendName } from "./internals.ts";
import { Random } from "./random.ts";

/** Number of programs that one process generates and runs in sequence. */
export const slotSize = 40;

/** One compiled function: its programs of the slot, and how it is run. */
export interface Group {
  readonly from: number;
  readonly count: number;
  readonly setting: Setting;
}

/** Assigns the programs of a slot to compiled functions. Most share one function, since starting a compiler takes long. */
export function groupsOf(seed: number, slot: number, backends: readonly BackendName[]): Group[] {
  const r = new Random(seed, slot, 5);
  const sizes = r.chance(0.75) ? [slotSize] : [1, 1, 2, 4, 8, 24];
  const out: Group[] = [];
  let from = slot * slotSize;
  for (const count of sizes) {
    const setting = {
      donate: r.chance(0.5),
      bound: r.chance(0.5),
      collect: r.chance(0.4),
      threads: r.pick([0, 1, 2]),
    };
    // The reference interprets the same graph without a compiler, which tests tracing alone.
    for (const backend of backends)
      if (backend !== "reference" || r.chance(0.3))
        out.push({ from, count, setting: { ...setting, backend } });
    from += count;
  }
  return out;
}
