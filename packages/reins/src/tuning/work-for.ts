import { existsSync } from "node:fs";
import { join } from "node:path";
import { endOf } from "./population.ts";
import type { Piece } from "./search.ts";
import type { SearchName } from "./searches.ts";
import type { Work } from "./work.ts";

/** Folder of the pieces, and whether they can be continued. */
export interface Keeping {
  readonly folder: string;
  /** Whether the environment can be saved. */
  readonly savable: boolean;
  /** Steps of a whole training. */
  readonly steps: number;
}

/** The work of a piece: successive halving continues a run, a population continues an agent. */
export function workFor(method: SearchName, piece: Piece, { folder, savable, steps }: Keeping): Work {
  const { seed, settings, to, trial, rung, parent = trial } = piece;
  // Without saved environments, the longer training repeats the shorter one with the same seed and schedules.
  if (method === "random" || method === "gp" || (method === "asha" && !savable))
    return { seed, settings, to };
  if (method === "asha") {
    const own = join(folder, "trials", `${trial}-${seed}`);
    return { seed, settings, to, folder: own, resume: rung > 0 && existsSync(own) };
  }
  const at = (t: number, generation: number) => join(folder, "trials", `${t}-${generation}`);
  if (rung === 0) return { seed, settings, to, folder: at(trial, 0) };
  // A run that continues an agent counts its steps from there.
  const more = to - endOf(steps, rung - 1);
  return { seed, settings, to: more, folder: at(trial, rung), from: at(parent, rung - 1) };
}
