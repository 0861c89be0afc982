import { figure } from "../claims/text.ts";
import { findingOf } from "./facts.ts";
import type { Row } from "./rows.ts";
import { claimHead, claimLines, link } from "./table.ts";

/** The page of a family: findings, and a picture of all effects. */
export function familyPage(family: string, rows: readonly Row[]): string {
  const own = rows.filter((r) => r.result && r.entry?.kind === "recipe" && r.system.family[0] === family);
  const sections = own.map((r) => {
    const { result, entry, system } = r;
    if (!result || entry?.kind !== "recipe") return "";
    const earlier = r.history.map(
      (a) =>
        `- ${a.measuredAt}: ${a.claims.map((c) => `${c.claim}: ${c.verdict}, ${figure(c.estimate)} (${figure(c.low)} to ${figure(c.high)})`).join("; ")}. Measured again because ${a.because}`,
    );
    return `## ${link(r, "../")}

${system.title} (${entry.source})

${entry.about}

**Found.** ${findingOf(entry, result) ?? "Not yet written."}

What stands for what: ${entry.deviations.map((d) => d.replace(/\.$/, "")).join(". ")}.
${[...(entry.tried ?? []).map((t) => `- tried on development seeds: ${t}`), ...earlier].length ? `\nForms tried before:\n\n${[...(entry.tried ?? []).map((t) => `- on development seeds: ${t}`), ...earlier].join("\n")}\n` : ""}`;
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
