import { claimText } from "../../claims/text.ts";
import type { ClaimVerdict } from "../../claims/verdict.ts";
import { counted } from "../result.ts";
import type { BookRow } from "../rows.ts";
import { changeText } from "./effects.ts";
import { link, markdownTable } from "./links.ts";

/** One sign per verdict, for the verdicts of single blocks. */
export const dots: { readonly [verdict in ClaimVerdict]: string } = {
  shown: "●",
  towards: "◕",
  undecided: "○",
  negligible: "◌",
  against: "◔",
  reversed: "✕",
  untestable: "–",
};

/** What the signs mean. */
export const dotsLegend = `One sign for each block of seeds (${Object.entries(dots)
  .map(([verdict, dot]) => `${dot} ${verdict}`)
  .join(", ")}); blocks in parentheses are checks, which do not count.`;

/** A table with one row per claim. `up` leads from the page to the book. */
export const claimTable = (rows: readonly BookRow[], up: string): string =>
  markdownTable(
    ["system", "claim", "verdict", "effect (95% interval)", "blocks", "the paper's result"],
    rows.flatMap((row) => claimRows(row, up)),
  );

function claimRows(row: BookRow, up: string): string[][] {
  const { result, system } = row;
  if (!result) return [];
  return result.claims.map((claim, i) => {
    const judged = result.judged[i];
    const verdict = `${judged.verdict}${judged.open ? ` (open by ${judged.open})` : ""}`;
    const signs = result.blocks.map((b, at) => {
      const sign = dots[b.judged![i].verdict];
      return at < counted ? sign : `(${sign})`;
    });
    return [
      i === 0 ? link(row, up) : "",
      claimText(claim, result),
      i === 0 ? `[${verdict}](${up}results/${system.id}.json)` : verdict,
      changeText(claim, judged, result.metrics),
      signs.join(" "),
      claim.paper ?? "",
    ];
  });
}
