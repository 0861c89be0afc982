import { tInterval } from "@reins/recipes";
import type { Done } from "../job.ts";
import { mean } from "../outcome.ts";
import type { Line } from "../picture.ts";
import { methodGroups } from "../plan.ts";

export const percent = (x: number): string => (100 * x).toFixed(1);
export const thousands = (n: number): string => `${Math.round(n / 1000)} k`;
export const written = "Generated from results/words.jsonl by `npm run bench -- words`.";
export const colours = { own: "#c2571a", imitation: "#2a6fb0" };
export const caption = "Held-out accuracy in percent by compute; bands span the worst and the best seed.";

/** A mean in percent with its 95% interval. */
export const interval = (values: readonly number[]): string => {
  const { estimate, low, high } = tInterval(values);
  return `${percent(estimate)} (${percent(low)} to ${percent(high)})`;
};

/** Links to the pages of all groups of methods. */
export const groupLinks = methodGroups
  .map(({ title, file }) => `[${title.split(":")[0].toLowerCase()}](${file}.md)`)
  .join(", ");

/** A line of means with a band from the worst to the best seed. */
export function line(name: string, colour: string, runs: readonly Done[]): Line {
  const all = runs.map((r) => [r.start, ...r.curve]);
  const at = (of: (values: number[]) => number) => all[0].map((_, i) => of(all.map((c) => c[i])));
  return { name, colour, mean: at(mean), low: at((v) => Math.min(...v)), high: at((v) => Math.max(...v)) };
}
