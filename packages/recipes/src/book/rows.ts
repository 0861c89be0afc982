import { basename, dirname } from "node:path";
import type { Judgement, Part } from "../claims/judge.ts";
import { decided } from "../claims/verdict.ts";
import type { Entry } from "../recipe.ts";
import { recipeFiles, type System, systemsOf } from "./book.ts";
import { type Attempt, readHistory } from "./history.ts";
import { type Result, readResult } from "./result.ts";
import { type RecipeVerification, readVerifications } from "./verification.ts";

/** A row of the book: a system, with its recipe and result if they exist. */
export interface BookRow {
  readonly system: System;
  readonly file?: string;
  readonly entry?: Entry;
  readonly result?: Result;
  readonly history: readonly Attempt[];
  readonly verified?: RecipeVerification;
}

/** All rows, in the order of the systems, then custom recipes. `load` imports a recipe's file. */
export async function rowsOf(book: string, load: (file: string) => Promise<Entry>): Promise<BookRow[]> {
  const files = recipeFiles(book);
  const verified = new Map(readVerifications(book).map((v) => [v.id, v]));
  const listed = systemsOf(book);
  const rows: BookRow[] = [];
  const add = (system: System, file?: string, entry?: Entry) => {
    const { id } = system;
    const result = readResult(book, id);
    rows.push({
      system,
      file,
      entry,
      result: result && withLabels(result, entry),
      history: readHistory(book, id),
      verified: verified.get(id),
    });
  };
  for (const system of listed) {
    const file = files.get(system.id);
    add(system, file, file === undefined ? undefined : await load(file));
  }
  for (const [id, file] of files)
    if (!listed.some((s) => s.id === id)) {
      const entry = await load(file);
      add({ id, title: entry.paper, kind: "own", family: [basename(dirname(file))] }, file, entry);
    }
  return rows;
}

/** A result with the current labels of its metrics, which may have changed since the measurement. */
export function withLabels(result: Result, entry?: Entry): Result {
  if (entry?.kind !== "recipe") return result;
  const metrics = Object.entries(result.metrics).map(([name, metric]) => [
    name,
    { ...metric, about: entry.metrics[name]?.about ?? metric.about },
  ]);
  return { ...result, metrics: Object.fromEntries(metrics) };
}

/** The displayed state: `mapped`, `not run`, empty, or the headline's verdict. */
export function stateOf({ entry, result }: BookRow): string {
  if (result) return result.judged[0].verdict;
  if (!entry) return "";
  return entry.kind === "mapped" ? "mapped" : "not run";
}

/** Number of forms of a recipe that were tried: on development seeds, in earlier measurements, and the current one. */
export const formsOf = ({ entry, history, result }: BookRow): number =>
  history.length + (entry?.kind === "recipe" ? (entry.tried?.length ?? 0) : 0) + (result ? 1 : 0);

/** Whether a row is a testbed. */
export const isBed = ({ entry }: BookRow): boolean => entry?.kind === "recipe" && entry.bed !== undefined;

/** Families with measured recipes, in order. */
export const familiesOf = (rows: readonly BookRow[]): string[] =>
  [...new Set(rows.filter((r) => r.result).map((r) => r.system.family[0]))].sort();

/** Blocks whose verdict contradicts the counted ones; there should be none. Joint claims are compared part by part. */
export const disagreements = ({ claims, judged, blocks }: Result): string[] =>
  claims.flatMap((_, i) =>
    blocks.flatMap((b) => {
      const [ours, theirs] = [partsOf(judged[i]), partsOf(b.judged![i])];
      return ours.flatMap(({ verdict }, k) => {
        const other = theirs[k].verdict;
        const clash = decided.has(verdict) && decided.has(other) && other !== verdict;
        return clash ? [`claim ${i + 1}: ${verdict}, and ${other} from seed ${b.firstSeed} on`] : [];
      });
    }),
  );

/** The parts of a joint claim, of which another may decide in another block; otherwise the whole. */
export const partsOf = (judged: Judgement): readonly Part[] => judged.parts ?? [judged];
