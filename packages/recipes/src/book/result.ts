import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fail } from "@reins/core";
import type { Claim } from "../claims/claim.ts";
import type { Judgement } from "../claims/judge.ts";
import type { ClaimVerdict } from "../claims/verdict.ts";
import type { Settings } from "../grid.ts";
import type { Metric } from "../outcome.ts";
import type { Code } from "./code.ts";
import type { Plan } from "./plan.ts";
import type { Block } from "./record.ts";
import type { TuningRecord } from "./tuning.ts";

/** What a result was computed with. */
export interface Machine {
  readonly backend: string;
  readonly processor: string;
  readonly compiler?: string;
  readonly versions: { readonly [name: string]: string };
}

/** The recorded result of a recipe: a fact about the commit that it was measured at. */
export interface Result {
  readonly id: string;
  readonly claims: readonly Claim[];
  readonly metrics: { readonly [name: string]: Metric };
  readonly system: string;
  readonly baselines: readonly string[];
  /** The baseline that did best with tuning seeds, by metric. */
  readonly best?: { readonly [metric: string]: string };
  /** The metric that sides were tuned on, if not the first. */
  readonly tuned?: string;
  /** Each claim, by the first two blocks together. */
  readonly judged: readonly Judgement[];
  /** Verdicts on the same values by rules that are no longer, and why those changed. */
  readonly judgedBefore?: readonly { readonly verdicts: readonly ClaimVerdict[]; readonly because: string }[];
  readonly settings: { readonly [side: string]: Settings };
  readonly tuning: readonly TuningRecord[];
  readonly plan: Plan;
  /** Two blocks that count; those after them are checks, judged on their own. */
  readonly blocks: readonly Block[];
  readonly budget: { readonly unit: string; readonly full: number };
  readonly wallSeconds: number;
  readonly processorSeconds: number;
  readonly machine: Machine;
  /** The commit. */
  readonly measuredAt: string;
  readonly code: Code;
}

/** How many blocks a verdict rests on. */
export const counted = 2;

/** Where the result of a recipe is kept. */
export const resultPath = (book: string, id: string): string => join(book, "results", `${id}.json`);

/** The kept result of a recipe; absent if it was never measured. Numbers that are none come back as NaN. */
export function readResult(book: string, id: string): Result | undefined {
  const path = resultPath(book, id);
  const result = readJson<Result>(path);
  if (result && ![result.claims, result.judged, result.blocks].every(Array.isArray))
    fail(path, "it is no result of a recipe. Restore it from the repository.");
  return result;
}

/** A JSON file of the book that holds a list; an empty one if it is not there. */
export function readList<T>(path: string): readonly T[] {
  const list = readJson<readonly T[]>(path) ?? [];
  return Array.isArray(list) ? list : fail(path, "it holds no list. Restore it from the repository.");
}

/** A JSON file of the book; absent if it is not there. */
export function readJson<T>(path: string): T | undefined {
  if (!existsSync(path)) return undefined;
  try {
    return JSON.parse(readFileSync(path, "utf8"), (_, v) => (v === null ? Number.NaN : v)) as T;
  } catch (error) {
    return fail(path, `it is no JSON (${(error as Error).message}). Restore it from the repository.`);
  }
}

/** Writes a file of the book as a whole: who reads at the same time sees the old one or the new one. */
export function writeJson(path: string, content: unknown): void {
  mkdirSync(dirname(path), { recursive: true });
  // Processes that write the same file at once must not write into each other's.
  const part = `${path}.${process.pid}.part`;
  writeFileSync(part, `${compactLists(JSON.stringify(content, null, 2))}\n`);
  renameSync(part, path);
}

/** Keeps a result. */
export const writeResult = (book: string, result: Result): void =>
  writeJson(resultPath(book, result.id), result);

/** Lists of numbers and of short words in one line. */
const compactLists = (json: string) =>
  json.replace(
    /\[\s+((?:-?[\d.e+-]+|null|"[\w. -]{1,20}")(?:,\s+(?:-?[\d.e+-]+|null|"[\w. -]{1,20}"))*)\s+\]/g,
    (_, list: string) => `[${list.replace(/,\s+/g, ", ")}]`,
  );
