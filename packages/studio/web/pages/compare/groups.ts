import type { RunDetail } from "../../../src/wire.ts";
import { settingText } from "../../parts/setting-text.ts";
import { exact } from "../../words.ts";

/** Runs that are looked at as one. */
export interface Group {
  readonly label: string;
  readonly runs: readonly RunDetail[];
}

/** All that runs were set to, by name: their algorithm, environment, seed, budget and settings. */
export function settingsOf({ config }: RunDetail): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const { options, envOptions, algorithm, env, seed, steps } = config as Record<string, unknown>;
  const budget = typeof steps === "number" ? exact(steps) : steps;
  for (const [name, value] of Object.entries({ algorithm, env, seed, steps: budget }))
    found.set(name, settingText(value));
  // Some algorithms have steps of their own, those of a round.
  for (const [name, value] of Object.entries((options ?? {}) as object))
    found.set(found.has(name) ? `options.${name}` : name, settingText(value));
  for (const [name, value] of Object.entries((envOptions ?? {}) as object))
    found.set(`env.${name}`, settingText(value));
  return found;
}

/** Settings in which some of the runs differ. */
export function differences(runs: readonly RunDetail[]): { name: string; values: readonly string[] }[] {
  const all = runs.map(settingsOf);
  const names = new Set(all.flatMap((one) => [...one.keys()]));
  return [...names]
    .map((name) => ({ name, values: all.map((one) => one.get(name) ?? "–") }))
    .filter(({ values }) => new Set(values).size > 1);
}

/** How runs are grouped where nobody says it: seeds of the same settings together, if there are any. */
export const usualGroups = (runs: readonly RunDetail[]): "seed" | "none" =>
  groupsOf(runs, "seed").some((group) => group.runs.length > 1) ? "seed" : "none";

/** Runs in groups: each by itself (`none`), those that differ in the seed alone together (`seed`), or by a setting. */
export function groupsOf(runs: readonly RunDetail[], by: string): Group[] {
  if (by === "none") return runs.map((run) => ({ label: run.name, runs: [run] }));
  const telling =
    by === "seed"
      ? differences(runs)
          .map((d) => d.name)
          .filter((n) => n !== "seed")
      : [by];
  const groups = new Map<string, RunDetail[]>();
  for (const run of runs) {
    const settings = settingsOf(run);
    const parts = telling.map((name) => [name, settings.get(name) ?? "–"] as const);
    const label = parts.map(([n, v]) => (["algorithm", "env"].includes(n) ? v : `${n} ${v}`)).join(", ");
    const key = label || `${run.algorithm} on ${run.env}`;
    groups.set(key, [...(groups.get(key) ?? []), run]);
  }
  return [...groups].map(([label, members]) => ({ label, runs: members }));
}
