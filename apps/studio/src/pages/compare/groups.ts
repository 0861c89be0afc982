import type { RunDetail } from "@reins/studio/wire";
import { namesOf, settingsOf, typedSettings } from "./names.ts";

/** Runs that are compared as a group. */
export interface Group {
  readonly label: string;
  readonly runs: readonly RunDetail[];
}

/** A setting in which runs differ. */
export interface Difference {
  readonly name: string;
  /** Whether the user set it in one of the runs. */
  readonly typed: boolean;
}

/** Settings in which some of the runs differ: algorithm and environment first, then those that the user set. */
export function differences(runs: readonly RunDetail[]): Difference[] {
  const all = runs.map(settingsOf);
  const typed = new Set(["algorithm", "env", "seed", ...runs.flatMap(typedSettings)]);
  return [...new Set(all.flatMap((one) => [...one.keys()]))]
    .filter((name) => new Set(all.map((one) => one.get(name))).size > 1)
    .map((name) => ({ name, typed: typed.has(name) }))
    .sort((a, b) => Number(b.typed) - Number(a.typed));
}

/** The default grouping: by seed, if some runs differ only in the seed. */
export const usualGroups = (runs: readonly RunDetail[]): "seed" | "none" =>
  groupsOf(runs, "seed").some((group) => group.runs.length > 1) ? "seed" : "none";

/** Groups runs: not at all (`none`), those that differ only in the seed (`seed`), or by the value of a setting. */
export function groupsOf(runs: readonly RunDetail[], by: string): Group[] {
  if (by === "none") return runs.map((run) => ({ label: run.name, runs: [run] }));
  const groups = new Map<string, RunDetail[]>();
  for (const run of runs) {
    const settings = settingsOf(run);
    const key =
      by === "seed"
        ? JSON.stringify([...settings].filter(([name]) => name !== "seed").sort())
        : `${by}=${settings.get(by) ?? "–"}`;
    groups.set(key, [...(groups.get(key) ?? []), run]);
  }
  const members = [...groups.values()];
  const labels = by === "seed" ? namesOf(members) : [...groups.keys()];
  return members.map((all, i) => ({ label: labels[i], runs: all }));
}
