import { basename } from "node:path";
import { methodsOf, type SurveyedMethod } from "../../coverage.ts";
import type { Mapped } from "../../recipe.ts";
import { type BookRow, stateOf } from "../rows.ts";
import { link, linkedSource, markdownTable } from "./links.ts";
import { wrapped } from "./markdown.ts";

/** The page of all surveys: the methods that each names, with the part of Reins that covers it. */
export function surveyPage(rows: readonly BookRow[]): string {
  const surveys = rows.flatMap(({ entry }) => (entry?.kind === "mapped" ? [entry] : []));
  return `# Surveys

${wrapped("The methods that surveys name, with what covers each: a recipe with its verdict, a guide, or a module. Not yet covered are methods without a part, and systems whose recipe is not written.")}

${surveys.map((s) => sectionOf(s, rows)).join("\n")}`;
}

function sectionOf({ id, paper, source, about, covers }: Mapped, rows: readonly BookRow[]): string {
  const methods = methodsOf(covers);
  const isCovered = ({ parts }: SurveyedMethod) => parts.some((p) => rowOf(p, rows)?.file || isPath(p));
  const lines = Object.keys(covers).map((topic) => {
    const own = methods.filter((m) => m.topic === topic);
    const covered = own.filter(isCovered);
    const missing = own.filter((m) => !isCovered(m));
    const linked = ({ method, parts }: SurveyedMethod) =>
      `${method} (${parts.map((p) => partLink(p, rows)).join(", ")})`;
    const toWrite = missing.map(({ method, parts }) => (parts.length ? `${method} (to write)` : method));
    return [topic, covered.map(linked).join("; "), toWrite.join(", ")];
  });
  return `## ${id}

${wrapped(`${paper} (${linkedSource(source)})`)}

${wrapped(`${about} ${methods.filter(isCovered).length} of ${methods.length} entries are covered.`)}

${markdownTable(["topic", "covered by", "not yet"], lines)}
`;
}

/** Whether a part is a path in the repository rather than the id of a system. */
const isPath = (part: string): boolean => part.includes("/");

const rowOf = (part: string, rows: readonly BookRow[]): BookRow | undefined =>
  rows.find((r) => r.system.id === part);

function partLink(part: string, rows: readonly BookRow[]): string {
  if (isPath(part)) return `[${basename(part).replace(/\.\w+$/, "")}](../../${part})`;
  const row = rowOf(part, rows);
  if (!row?.file) return `${part}, to write`;
  return row.result ? `${link(row, "../")} ${stateOf(row)}` : link(row, "../");
}
