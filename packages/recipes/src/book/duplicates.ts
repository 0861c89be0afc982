import { fail } from "@reins/core";
import { ladderOf, type Settings } from "../grid.ts";
import type { StoredOutcome } from "./trial.ts";

/** A point of the grid with its results so far, by tuning seed. */
export interface Tried {
  readonly settings: Settings;
  readonly outcomes: StoredOutcome[];
}

/** Pairs of points of an arm with equal results so far. */
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

/** Throws for a setting without effect, which would make an arm's search smaller than it looks. */
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
    `${setting} ${numbers.length ? `(${numbers.join(", ")}) ` : ""}has no effect on ${side}. Give that arm its own grid with as many distinct points.`,
  );
}

/** The setting in which two points differ. */
export const changed = (a: Settings, b: Settings): string => Object.keys(a).find((k) => a[k] !== b[k])!;
