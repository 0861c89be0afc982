import { findingOf } from "../facts.ts";
import { type Attempt, attemptTexts } from "../history.ts";
import { levelOf } from "../level.ts";
import { type BookRow, formsOf } from "../rows.ts";
import { claimTable, dotsLegend } from "./claims.ts";
import { link, linkedSource } from "./links.ts";
import { bullets, wrapped } from "./markdown.ts";

const earlier = (attempt: Attempt) =>
  `${attempt.measuredAt}: ${attemptTexts(attempt).join("; ") || "no claim was judged"}. Measured again because ${attempt.because}`;

/** The page of a family: its claims, a plot of all effects, and a section for each measured system. */
export function familyPage(family: string, rows: readonly BookRow[]): string {
  const own = rows.filter((r) => r.result && r.entry?.kind === "recipe" && r.system.family[0] === family);
  return `# ${family}

![Effects with 95% intervals, in units of the smallest relevant effect](${family}.svg)

${wrapped(dotsLegend)}

${claimTable(own, "../")}

${own.map(sectionOf).join("\n")}`;
}

/** The finding, deviations and tried forms of a system. */
function sectionOf(row: BookRow): string {
  const { result, entry, system, history, verified } = row;
  if (!result || entry?.kind !== "recipe") return "";
  const forms = [...(entry.tried ?? []).map((t) => `on development seeds: ${t}`), ...history.map(earlier)];
  const count = formsOf(row);
  const verifiedAt = verified && verified.how !== "moved" ? `, verified at ${verified.at}` : "";
  return `## ${system.id}

${wrapped(`${system.title} (${linkedSource(entry.source)}); recipe ${link(row, "../")}`)}

${wrapped(entry.about)}

${wrapped(`**Finding.** ${findingOf(entry, result) ?? "Not yet written."}`)}

${wrapped(`Level ${levelOf(entry, result)}, ${count} ${count === 1 ? "form" : "forms"} tried, measured at ${result.measuredAt}${verifiedAt}.`)}

Deviations from the paper:

${bullets(entry.deviations)}
${forms.length ? `\nForms tried:\n\n${bullets(forms)}\n` : ""}`;
}
