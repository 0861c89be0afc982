import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fail } from "@reins/core";
import type { Claim } from "../claims/claim.ts";
import type { Judgement } from "../claims/judge.ts";
import type { ClaimVerdict } from "../claims/verdict.ts";
import type { Settings } from "../grid.ts";
import type { Metric } from "../outcome.ts";
import type { RecipeCode } from "./code.ts";
import type { Continuation } from "./continuation.ts";
import type { Plan } from "./plan.ts";
import type { Block } from "./record.ts";
import type { TuningRecord } from "./tuning.ts";

/** The machine and versions of a result. */
export interface Machine {
  readonly backend: string;
  readonly processor: string;
  readonly compiler?: string;
  readonly versions: { readonly [name: string]: string };
}

/** Measurements of a testbed beyond those of a recipe. */
export interface TestbedRecord {
  /** The digest of all data that determine its runs: recipes were measured on this version. */
  readonly version: string;
  /** Tuning runs of the arms as tuned. */
  readonly pilot: Block;
  /** The conditions that systems presuppose, measured on the first arm. */
  readonly conditions: { readonly [name: string]: number };
  /** Share of the variance of paired differences that is evaluation noise, at most: sampled answers are counted as independent. */
  readonly noise: number;
  /** Standard deviation of paired differences between the first two arms. */
  readonly spread: number;
}

/** The recorded result of a recipe at a commit. */
export interface Result {
  readonly id: string;
  readonly claims: readonly Claim[];
  readonly metrics: { readonly [name: string]: Metric };
  readonly system: string;
  readonly baselines: readonly string[];
  /** The baseline that is best on tuning seeds, by metric. */
  readonly best?: { readonly [metric: string]: string };
  /** The metric that arms are tuned on, if not the first. */
  readonly tuned?: string;
  /** Each claim, by the first two blocks together. */
  readonly judged: readonly Judgement[];
  /** Verdicts on the same values by earlier rules, and why the rules changed. */
  readonly judgedBefore?: readonly { readonly verdicts: readonly ClaimVerdict[]; readonly because: string }[];
  readonly settings: { readonly [side: string]: Settings };
  readonly tuning: readonly TuningRecord[];
  readonly plan: Plan;
  /** The two blocks that count; later ones are checks, judged separately. */
  readonly blocks: readonly Block[];
  readonly budget: { readonly unit: string; readonly full: number };
  readonly wallSeconds: number;
  readonly processorSeconds: number;
  readonly machine: Machine;
  /** The commit. */
  readonly measuredAt: string;
  readonly code: RecipeCode;
  /** Measurements of a testbed. */
  readonly testbed?: TestbedRecord;
  /** What followed the first look at a recipe on a testbed. */
  readonly continuation?: Continuation;
  /** The version of the testbed that it was measured on. */
  readonly on?: { readonly id: string; readonly version: string };
}

/** Number of blocks that a verdict is based on. */
export const counted = 2;

/** The path of a recipe's result. */
export const resultPath = (book: string, id: string): string => join(book, "results", `${id}.json`);

/** The recorded result of a recipe; undefined if it was never measured. Non-finite numbers come back as NaN. */
export function readResult(book: string, id: string): Result | undefined {
  const path = resultPath(book, id);
  const result = readJson<Result>(path);
  if (result && ![result.claims, result.judged, result.blocks].every(Array.isArray))
    fail(path, "not a result of a recipe. Restore it from the repository.");
  return result;
}

/** Reads a JSON list of the book; empty if the file does not exist. */
export function readList<T>(path: string): readonly T[] {
  const list = readJson<readonly T[]>(path) ?? [];
  return Array.isArray(list) ? list : fail(path, "not a JSON list. Restore it from the repository.");
}

/** Reads a JSON file of the book; undefined if it does not exist. */
export function readJson<T>(path: string): T | undefined {
  if (!existsSync(path)) return undefined;
  try {
    const text = readFileSync(path, "utf8");
    // A reviver takes ten times as long as the parser.
    const reviver = text.includes("null")
      ? (_: string, v: unknown) => (v === null ? Number.NaN : v)
      : undefined;
    return JSON.parse(text, reviver) as T;
  } catch (error) {
    return fail(path, `not valid JSON (${(error as Error).message}). Restore it from the repository.`);
  }
}

/** Writes a file of the book atomically: a concurrent reader sees the old or the new one. */
export function writeJson(path: string, content: unknown): void {
  mkdirSync(dirname(path), { recursive: true });
  // Concurrent writers of the same file need separate temporary files.
  const part = `${path}.${process.pid}.part`;
  writeFileSync(part, `${compactLists(JSON.stringify(content, null, 2))}\n`);
  renameSync(part, path);
}

/** Keeps a result. */
export const writeResult = (book: string, result: Result): void =>
  writeJson(resultPath(book, result.id), result);

/** Puts lists of numbers and short words on one line. */
const compactLists = (json: string) =>
  json.replace(
    /\[\s+((?:-?[\d.e+-]+|null|"[\w. -]{1,20}")(?:,\s+(?:-?[\d.e+-]+|null|"[\w. -]{1,20}"))*)\s+\]/g,
    (_, list: string) => `[${list.replace(/,\s+/g, ", ")}]`,
  );
