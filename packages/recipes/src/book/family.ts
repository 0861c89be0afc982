import { findingOf } from "./facts.ts";
import { type Attempt, attemptTexts } from "./history.ts";
import type { Row } from "./rows.ts";
import { claimHead, claimLines, link } from "./table.ts";

const earlier = (attempt: Attempt) =>
  `- ${attempt.measuredAt}: ${attemptTexts(attempt).join("; ") || "nothing was judged"}. Measured again because ${attempt.because}`;

/** The page of a family: findings, and a plot of all effects. */
export function familyPage(family: string, rows: readonly Row[]): string {
  const own = rows.filter((r) => r.result && r.entry?.kind === "recipe" && r.system.family[0] === family);
  const sections = own.map((r) => {
    const { result, entry, system } = r;
    if (!result || entry?.kind !== "recipe") return "";
    const forms = [
      ...(entry.tried ?? []).map((t) => `- on development seeds: ${t}`),
      ...r.history.map(earlier),
    ];
    return `## ${link(r, "../")}

${system.title} (${entry.source})

${entry.about}

**Found.** ${findingOf(entry, result) ?? "Not yet written."}

What stands for what: ${entry.deviations.map((d) => d.replace(/\.$/, "")).join(". ")}.
${forms.length ? `\nForms tried before:\n\n${forms.join("\n")}\n` : ""}`;
  });
  return `# ${family}

![Effects with their intervals, in units of the smallest that counts](${family}.svg)

${claimHead}
${own
  .flatMap(claimLines)
  .map((line) => line.replaceAll("](", "](../"))
  .join("\n")}

${sections.join("\n")}`;
}
