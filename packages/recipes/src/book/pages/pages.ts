import { type BookRow, familiesOf } from "../rows.ts";
import { clusterPage, clusterPlot } from "./cluster-page.ts";
import { familyPage } from "./family.ts";
import { forestPlot } from "./forest.ts";
import { frontPage } from "./front.ts";
import { surveyPage } from "./survey.ts";
import type { BookTexts } from "./texts.ts";
import { toWritePage } from "./to-write.ts";

/** All generated pages and figures of a book, by path. */
export function pagesOf(rows: readonly BookRow[], texts: BookTexts): Map<string, string> {
  const pages = new Map([
    ["README.md", frontPage(rows, texts)],
    ["to-write.md", toWritePage(rows)],
  ]);
  for (const family of familiesOf(rows)) {
    const results = rows.flatMap((r) => (r.result && r.system.family[0] === family ? [r.result] : []));
    pages.set(`families/${family}.md`, familyPage(family, rows));
    pages.set(`families/${family}.svg`, forestPlot(results));
  }
  if (rows.some((r) => r.entry?.kind === "mapped")) pages.set("families/survey.md", surveyPage(rows));
  for (const cluster of texts.clusters) {
    const { name, members, others = [] } = cluster;
    if (!rows.some((r) => r.result && [...members, ...others].includes(r.system.id))) continue;
    pages.set(`clusters/${name}.md`, clusterPage(cluster, rows));
    if (members.length > 0) pages.set(`clusters/${name}.svg`, clusterPlot(cluster, rows));
  }
  return pages;
}
