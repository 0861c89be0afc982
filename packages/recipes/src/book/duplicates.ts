import { fail } from "@reins/core";
import { ladderOf, type Settings } from "../grid.ts";
import type { Kept } from "./trial.ts";

/** A point with what its runs gave so far, by tuning seed. */
export interface Tried {
  readonly settings: Settings;
  readonly outcomes: Kept[];
}

/** Points of a side whose runs were the same so far, two by two. */
export function duplicates(tried: readonly Tried[]): (readonly [Tried, Tried])[] {
  const print = ({ outcomes }: Tried) =>
    JSON.stringify(outcomes.map(({ values, early, used }) => [values, early, used]));
  return tried.flatMap((a, i) =>
    tried
      .slice(i + 1)
      .filter((b) => a.outcomes.length === b.outcomes.length && print(a) === print(b))
      .map((b) => [a, b] as const),
  );
}

/** A setting that changes nothing makes a side's search smaller than it looks. */
export function refuseDuplicates(id: string, side: string, tried: readonly Tried[]): void {
  const [pair] = duplicates(tried);
  if (!pair) return;
  const setting = changed(pair[0].settings, pair[1].settings);
  const numbers = ladderOf(
    tried.map((t) => t.settings),
    setting,
  );
  fail(
    `recipe ${id}`,
    `${setting} ${numbers.length ? `(${numbers.join(", ")}) ` : ""}changes nothing for ${side}. Give that side a grid of its own, with as many points that differ.`,
  );
}

/** The setting in which two points differ. */
export const changed = (a: Settings, b: Settings): string => Object.keys(a).find((k) => a[k] !== b[k])!;
