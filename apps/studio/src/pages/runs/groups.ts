import type { FieldValue, RunLine } from "@reins/studio/wire";
import { type Interval, intervalOf, seedValues } from "../../statistics/interval.ts";
import { fieldOf } from "./fields.ts";

/** Runs that share a row: those that differ only in the seed, or a single run. */
export interface RunGroup {
  readonly key: string;
  readonly runs: readonly RunLine[];
}

/** The rows of a list, in the order of their first runs. */
export function groupsOf(runs: readonly RunLine[], grouped: boolean): RunGroup[] {
  if (!grouped) return runs.map((run) => ({ key: run.name, runs: [run] }));
  const found = new Map<string, RunLine[]>();
  for (const run of runs) found.set(run.group, [...(found.get(run.group) ?? []), run]);
  return [...found].map(([key, members]) => ({ key, runs: members }));
}

/** Seeds of a group, each once. */
export const seedsOf = ({ runs }: RunGroup): number[] => [...new Set(runs.map(({ seed }) => seed))];

/** The mean of a numeric field over the seeds of a group; undefined without numbers. */
export function intervalIn({ runs }: RunGroup, field: string): Interval | undefined {
  const numberIn = (run: RunLine) => {
    const value = fieldOf(run, field);
    return typeof value === "number" ? value : null;
  };
  const values = seedValues(runs, numberIn);
  if (values.length === 0) return undefined;
  return intervalOf(values, field === "return" ? runs[0].returnBounds : undefined);
}

/** The value that a group is sorted by: a mean of numbers, else the first run's. */
export const valueIn = (group: RunGroup, field: string): FieldValue =>
  group.runs.length === 1
    ? fieldOf(group.runs[0], field)
    : (intervalIn(group, field)?.mean ?? fieldOf(group.runs[0], field));

/** The name of a group: the common prefix of its runs' names. */
export function groupName({ runs }: RunGroup): string {
  const names = runs.map(({ name }) => name);
  let length = 0;
  while (length < names[0].length && names.every((name) => name[length] === names[0][length])) length++;
  // `run-10` and `run-11` are `run`, and not `run-1`.
  const common = names[0]
    .slice(0, length)
    .replace(/\d+$/, "")
    .replace(/[-_. ]+$/, "");
  return common || `${runs[0].algorithm} on ${runs[0].env}`;
}

/** The seeds of a group as text. */
export function seedText(group: RunGroup): string {
  const seeds = seedsOf(group).sort((a, b) => a - b);
  return seeds.length < 3 ? seeds.join(", ") : `${seeds[0]} … ${seeds.at(-1)}`;
}
