import { type Claim, simplesOf } from "../../claims/claim.ts";
import { claimText, effectText } from "../../claims/text.ts";
import type { ClaimVerdict } from "../../claims/verdict.ts";
import type { Block } from "../record.ts";
import { counted, type Result } from "../result.ts";
import { scaleOf } from "./scale.ts";
import { safe } from "./svg.ts";

const colors: { readonly [verdict in ClaimVerdict]: string } = {
  shown: "#1a7f37",
  towards: "#2f9e8f",
  negligible: "#8a6d00",
  undecided: "#57606a",
  against: "#a0447f",
  reversed: "#c2372e",
  untestable: "#8c959f",
};

/** One line of the plot, in units of the smallest relevant effect. */
interface Line {
  readonly name: string;
  readonly claim: string;
  readonly text: string;
  readonly verdict: ClaimVerdict;
  readonly whole: readonly [number, number, number];
  readonly blocks: readonly (readonly [number, number, number])[];
  /** The region in which the interval of a `shown` claim lies. */
  readonly shownAt: readonly [number, number];
}

/** The fields of a result that are drawn. */
type Drawn = Pick<Result, "id" | "system" | "baselines" | "metrics" | "claims" | "judged"> & {
  readonly blocks: readonly Pick<Block, "judged">[];
};

const [rowHeight, top, left, width, right] = [54, 58, 330, 460, 240];
/** Effects further out are drawn at the edge, with an arrow. */
const furthest = 4;

/** A forest plot: effects of several results with their intervals, one line per claim, in units of the smallest relevant effect. */
export function forestPlot(results: readonly Drawn[]): string {
  const lines = results.flatMap(linesOf);
  const height = top + rowHeight * lines.length + 34;
  const x = (value: number) =>
    left + (width * (Math.max(-furthest, Math.min(furthest, value)) + furthest)) / (2 * furthest);
  const ticks = Array.from({ length: 2 * furthest + 1 }, (_, i) => i - furthest);
  const bottom = height - 30;
  const grid = ticks.map((t) => {
    const strong = Math.abs(t) === 1 || t === 0;
    return `<line x1="${x(t)}" x2="${x(t)}" y1="${top - 8}" y2="${bottom}" class="${strong ? (t === 0 ? "zero" : "one") : "tick"}"/><text x="${x(t)}" y="${bottom + 15}" class="axis">${t === 1 ? "Δ" : t === -1 ? "−Δ" : t === 0 ? "0" : `${t < 0 ? "−" : ""}${Math.abs(t)}Δ`}</text>`;
  });
  const rows = lines.map((line, i) => {
    const y = top + rowHeight * i + 14;
    const bars = line.blocks.map((b, at) => bar(b, y + 12 + 6 * at, "block", 1.5));
    const under = line.name ? y + 13 : y;
    const words = linesOfText(line.claim, 54, 3).map(
      (text, at) =>
        `<text x="8" y="${under + 12 * at}" class="claim">${safe(text)}${at ? "" : `<title>${safe(line.claim)}</title>`}</text>`,
    );
    const [from, to] = line.shownAt.map(x);
    return `<rect x="${from}" y="${y - 12}" width="${to - from}" height="${rowHeight - 10}" class="shown"/>${line.name ? `<text x="8" y="${y}" class="name">${safe(line.name)}</text>` : ""}${words.join("")}
<g style="--c:${colors[line.verdict]}">${bar(line.whole, y, "whole", 4)}${bars.join("")}<text x="${left + width + 12}" y="${y}" class="verdict">${line.verdict}</text><text x="${left + width + 12}" y="${y + 15}" class="claim">${safe(clip(line.text, 38))}</text></g>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${left + width + right} ${height}" font-family="system-ui, sans-serif" role="img">
<title>Effects with 95% intervals, in units of the smallest relevant effect (Δ)</title>
<style>svg{background:#fff}.name{font-size:13px;font-weight:600;fill:#1f2328}.claim{font-size:11px;fill:#57606a}.axis{font-size:11px;fill:#57606a;text-anchor:middle}.verdict{font-size:13px;font-weight:600;fill:var(--c)}.tick{stroke:#eaeef2}.one{stroke:#afb8c1;stroke-dasharray:3 3}.zero{stroke:#57606a}.shown{fill:#1a7f37;opacity:.09}.whole{stroke:var(--c);fill:var(--c)}.block{stroke:var(--c);fill:var(--c);opacity:.45}</style>
<text x="${left}" y="16" class="claim">Thick: both blocks together. Thin: each block. Green: the region of a shown claim.</text>
<text x="${left}" y="36" class="claim">← against the claim</text><text x="${left + width}" y="36" class="claim" text-anchor="end">towards the claim →</text>
${grid.join("")}
${rows.join("\n")}
</svg>
`;

  function bar(
    [estimate, low, high]: readonly [number, number, number],
    y: number,
    kind: string,
    thick: number,
  ): string {
    const arrow = (value: number) =>
      value > furthest
        ? `<path d="M${x(furthest)} ${y - 4} l6 4 l-6 4 z" class="${kind}"/>`
        : value < -furthest
          ? `<path d="M${x(-furthest)} ${y - 4} l-6 4 l6 4 z" class="${kind}"/>`
          : "";
    return `<line x1="${x(low)}" x2="${x(high)}" y1="${y}" y2="${y}" stroke-width="${thick / 2}" class="${kind}"/><circle cx="${x(estimate)}" cy="${y}" r="${thick}" class="${kind}"/>${arrow(high)}${arrow(low)}`;
  }
}

function linesOf(result: Drawn): Line[] {
  return result.claims.flatMap((claim, i): Line[] => {
    const scale = scaleOf(claim, result.judged[i]);
    if (!scale) return [];
    return [
      {
        name: i === 0 ? result.id : "",
        claim: claimText(claim, result),
        text: effectText(claim, { ...result.judged[i], note: undefined, parts: undefined }),
        verdict: result.judged[i].verdict,
        whole: scale(result.judged[i]),
        blocks: result.blocks.slice(0, counted + 1).flatMap((b) => (b.judged ? [scale(b.judged[i])] : [])),
        shownAt: shownAt(simplesOf(claim)[result.judged[i].of ?? 0]),
      },
    ];
  });
}

/** The region of a claim in units of Δ: an effect is beyond Δ, no worse is above −Δ, equality is within ± Δ. */
function shownAt({ kind }: Claim): readonly [number, number] {
  if (kind === "equals" || kind === "equivalent") return [-1, 1];
  return [kind === "no-worse" ? -1 : 1, furthest];
}

/** A text in lines of at most `length` characters, broken between words; the last line is truncated. */
function linesOfText(text: string, length: number, most: number): string[] {
  if (text.length <= length || most === 1) return [clip(text, length)];
  const at = text.lastIndexOf(" ", length);
  const end = at > 0 ? at : length;
  return [text.slice(0, end), ...linesOfText(text.slice(end).trim(), length, most - 1)];
}

const clip = (text: string, length: number) =>
  text.length > length ? `${text.slice(0, length - 1)}…` : text;
