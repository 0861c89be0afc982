import { type BookRow, isBed, stateOf } from "../rows.ts";
import { link, markdownTable } from "./links.ts";

/** The page of systems without a result. */
export const toWritePage = (rows: readonly BookRow[]): string => `# Systems to write

${markdownTable(
  ["system", "paper", "family", "recipe"],
  rows
    .filter((r) => !r.result && !isBed(r) && r.entry?.kind !== "mapped")
    .map((r) => [link(r), r.system.title, r.system.family[0], stateOf(r)]),
)}
`;
