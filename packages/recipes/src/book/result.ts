import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Claim } from "../claim.ts";
import type { Metric } from "../outcome.ts";
import type { Recipe, Settings } from "../recipe.ts";
import type { ClaimVerdict, Judgement } from "../verdict.ts";
import type { Kept } from "./trial.ts";

/** What one side did for each seed. */
export interface SideRecord {
  readonly name: string;
  readonly settings: Settings;
  readonly values: readonly number[];
  readonly series?: readonly (readonly number[])[];
  readonly bounds?: readonly number[];
  /** Means of whatever else was measured. */
  readonly also?: { readonly [name: string]: number };
  /** Seeds whose runs failed; they count as the metric's worst. */
  readonly failed?: { readonly [seed: string]: string };
}

/** How a side was tuned: the metric for each point of the grid and each tuning seed. */
export interface TuningRecord {
  readonly side: string;
  readonly points: readonly { readonly settings: Settings; readonly values: readonly number[] }[];
}

/** What a set of evaluation seeds gave. */
export interface Measured extends Omit<Judgement, "effects"> {
  readonly firstSeed: number;
  readonly seeds: number;
}

/** The recorded result of a recipe. */
export interface Result extends Measured {
  readonly id: string;
  readonly verdict: ClaimVerdict;
  readonly reason?: string;
  readonly claim: Claim;
  readonly metric: Metric;
  /** Effect of each seed; logarithms for ratios. */
  readonly effects: readonly number[];
  readonly sides: readonly SideRecord[];
  readonly tuning: readonly TuningRecord[];
  readonly budget: { readonly unit: string; readonly full: number };
  /** Used by all runs together, in the budget's unit. */
  readonly used: number;
  readonly wallSeconds: number;
  readonly processorSeconds: number;
  readonly versions: { readonly [name: string]: string };
  /** Digest of the recipe and of the package code that it imports. */
  readonly hash: string;
  /** The same protocol with other evaluation seeds. */
  readonly again?: readonly Measured[];
}

/** Where the result of a recipe is kept. */
export const resultPath = (book: string, id: string): string => join(book, "results", `${id}.json`);

/** The kept result of a recipe; absent if it was never measured. */
export function readResult(book: string, id: string): Result | undefined {
  const path = resultPath(book, id);
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Result) : undefined;
}

/** Writes a result as a whole: who reads at the same time sees the old one or the new one. */
export function writeResult(book: string, result: Result): void {
  const path = resultPath(book, result.id);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.part`, `${compactLists(JSON.stringify(result, null, 2))}\n`);
  renameSync(`${path}.part`, path);
}

/** Lists of numbers in one line. */
const compactLists = (json: string) =>
  json.replace(
    /\[\s+(-?[\d.e+-]+(?:,\s+-?[\d.e+-]+)*)\s+\]/g,
    (_, list: string) => `[${list.replace(/\s+/g, " ")}]`,
  );

/** A result with the reason that its recipe gives now: it is often found after the run. */
export function explained(result: Result, { reason }: Pick<Recipe, "reason">): Result {
  const { reason: _, id, ...rest } = result;
  return { id, ...(reason !== undefined && { reason }), ...rest };
}

/** A side's outcomes as they are recorded. */
export function sideRecord(
  name: string,
  settings: Settings,
  seeds: readonly number[],
  outcomes: readonly Kept[],
): SideRecord {
  const failures = outcomes.flatMap((o, i) =>
    o.failed === undefined ? [] : [[seeds[i], o.failed] as const],
  );
  const names = [...new Set(outcomes.flatMap((o) => Object.keys(o.also ?? {})))];
  const mean = (key: string) => {
    const found = outcomes.flatMap((o) => (o.also && key in o.also ? [o.also[key]] : []));
    return found.reduce((a, b) => a + b, 0) / found.length;
  };
  return {
    name,
    settings,
    values: outcomes.map((o) => o.value),
    ...(outcomes.some((o) => o.series) && { series: outcomes.map((o) => o.series ?? []) }),
    ...(outcomes.some((o) => o.bound !== undefined) && {
      bounds: outcomes.map((o) => o.bound ?? Number.NaN),
    }),
    ...(names.length && { also: Object.fromEntries(names.map((k) => [k, mean(k)])) }),
    ...(failures.length && { failed: Object.fromEntries(failures) }),
  };
}
