import { findingOf } from "./facts.ts";
import { type Attempt, attemptTexts } from "./history.ts";
import { bullets, wrapped } from "./markdown.ts";
import type { BookRow } from "./rows.ts";
import { claimHead, claimLines, link } from "./table.ts";

const earlier = (attempt: Attempt) =>
  `${attempt.measuredAt}: ${attemptTexts(attempt).join("; ") || "no claim was judged"}. Measured again because ${attempt.because}`;

/** The page of a family: findings, and a plot of all effects. */
export function familyPage(family: string, rows: readonly BookRow[]): string {
  const own = rows.filter((r) => r.result && r.entry?.kind === "recipe" && r.system.family[0] === family);
  const sections = own.map((r) => {
    const { result, entry, system } = r;
    if (!result || entry?.kind !== "recipe") return "";
    const forms = [
      ...(entry.tried ?? []).map((t) => `on development seeds: ${t}`),
      ...r.history.map(earlier),
    ];
    return `## ${link(r, "../")}

${wrapped(`${system.title} (${entry.source})`)}

${wrapped(entry.about)}

${wrapped(`**Finding.** ${findingOf(entry, result) ?? "Not yet written."}`)}

Deviations from the paper:

${bullets(entry.deviations)}
${forms.length ? `\nForms tried:\n\n${bullets(forms)}\n` : ""}`;
  });
  return `# ${family}

![Effects with 95% intervals, in units of the smallest relevant effect](${family}.svg)

${claimHead}
${own
  .flatMap(claimLines)
  .map((line) => line.replaceAll("](", "](../"))
  .join("\n")}

${sections.join("\n")}`;
}
