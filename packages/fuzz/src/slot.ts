import type { Setting } from "./batch.ts";
import type { BackendName } from "./internals.ts";
import { Random } from "./random.ts";

/** Programs that are made and run one after another by one process. */
export const slotSize = 40;

/** One compiled function: which programs of the slot it holds, and how it is run. */
export interface Group {
  readonly from: number;
  readonly count: number;
  readonly setting: Setting;
}

/** How the programs of a slot are shared out among compiled functions. Most are one function, since compilers take long to start. */
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
    // The reference interprets the same graph without any compiler: some of them show whether tracing is right.
    for (const backend of backends)
      if (backend !== "reference" || r.chance(0.3))
        out.push({ from, count, setting: { ...setting, backend } });
    from += count;
  }
  return out;
}
