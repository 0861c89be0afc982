import type { ClaimVerdict } from "../../claims/verdict.ts";
import type { BookRow } from "../rows.ts";
import { dots } from "./claims.ts";
import { linkToFamily, markdownTable } from "./links.ts";

/** A mechanism that several systems share: `ideas.json` of a book. */
export interface Idea {
  readonly idea: string;
  /** The claim of each system that tests it, counted from 0. */
  readonly claims: { readonly [id: string]: number };
}

/** An idea with the measured claims that test it. */
export interface TestedIdea {
  readonly idea: string;
  readonly claims: readonly { readonly row: BookRow; readonly verdict: ClaimVerdict }[];
}

/** Ideas with at least two measured claims, those that hold most often first. */
export function testedIdeas(ideas: readonly Idea[], rows: readonly BookRow[]): TestedIdea[] {
  const tested = ideas.map(({ idea, claims }) => ({
    idea,
    claims: Object.entries(claims).flatMap(([id, at]) => {
      const row = rows.find((r) => r.system.id === id);
      const judged = row?.result?.judged[at];
      return row && judged ? [{ row, verdict: judged.verdict }] : [];
    }),
  }));
  const share = (t: TestedIdea) => countOf(t, "shown") / t.claims.length;
  return tested.filter((t) => t.claims.length > 1).sort((a, b) => share(b) - share(a));
}

/** Number of an idea's claims with one of these verdicts. */
export const countOf = ({ claims }: TestedIdea, ...verdicts: readonly ClaimVerdict[]): number =>
  claims.filter((c) => verdicts.includes(c.verdict)).length;

/** The table of ideas, with a sign for each system. */
export const ideaTable = (tested: readonly TestedIdea[]): string =>
  markdownTable(
    ["idea", "shown", "against or reversed", "systems"],
    tested.map((t) => [
      t.idea,
      `${countOf(t, "shown")} of ${t.claims.length}`,
      `${countOf(t, "against", "reversed")}`,
      t.claims.map(({ row, verdict }) => `${dots[verdict]} ${linkToFamily(row)}`).join(", "),
    ]),
  );
