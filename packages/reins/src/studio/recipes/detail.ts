import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { coverageTexts, type Entry } from "@reins/recipes";
import {
  attemptTexts,
  builtFile,
  findingOf,
  loadEntry,
  type RecipeVerification,
  type Result,
  readHistory,
  readResult,
  readVerifications,
} from "@reins/recipes/book";
import type { RecipeDetail, RecipeLine } from "@reins/studio";
import { resultOf } from "./result.ts";

/** All data of a system. */
export async function detailOf(book: string, line: RecipeLine, file?: string): Promise<RecipeDetail> {
  const { id } = line;
  const result = readResult(book, id);
  const verified = readVerifications(book).find((v) => v.id === id);
  return {
    ...line,
    ...(file !== undefined && {
      ...(await saidIn(book, file, result)),
      file: relative(book, file),
      code: readFileSync(file, "utf8"),
    }),
    ...(result && { result: resultOf(result) }),
    ...(verified && { verified: verifiedText(verified) }),
    history: readHistory(book, id).map((a) => ({
      measuredAt: a.measuredAt,
      seeds: [a.firstSeed, a.lastSeed],
      claims: attemptTexts(a),
      because: a.because,
    })),
  };
}

/** The description of a recipe, or why it cannot be loaded. */
async function saidIn(
  book: string,
  file: string,
  result?: Result,
): Promise<Pick<RecipeDetail, "said" | "problem">> {
  try {
    return { said: said(await loadEntry(builtFile(book, file)), result) };
  } catch (error) {
    return { problem: (error as Error).message };
  }
}

function said(entry: Entry, result?: Result): RecipeDetail["said"] {
  const { about } = entry;
  if (entry.kind === "mapped")
    return { about, deviations: [], tried: [], covers: coverageTexts(entry.covers) };
  const { source, budget, deviations, tried = [] } = entry;
  const finding = result && findingOf(entry, result);
  return {
    about,
    source,
    budget: `${budget.full.toLocaleString("en")} ${budget.unit}`,
    deviations,
    tried,
    covers: [],
    ...(finding !== undefined && { finding }),
  };
}

const ways: { readonly [how in RecipeVerification["how"]]: string } = {
  bits: "the same numbers to the last bit",
  predicted: "three replicates lie where the recorded ones say",
  moved: "other numbers: it must be measured again",
};

const verifiedText = ({ how, at }: RecipeVerification) => `${ways[how]}, at ${at}`;
