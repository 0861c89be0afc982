import { compact } from "../terminal/format.ts";
import { comparableTrials, comparedAt, importances, importancesText, importanceText } from "./importance.ts";
import type { PieceResult, ScoredTrial, SearchPlan } from "./search.ts";
import { type Dimension, placeOf, valueAt } from "./space.ts";

/** Sizes of a panel and its surroundings. */
const [width, height, gap, left, top] = [260, 170, 28, 70, 120];
/** Between a panel's frame and its dots. */
const margin = 14;
const [plain, marked] = ["#1d4ed8", "#ea580c"];

/** Title and legend of the plot. */
export interface Caption {
  readonly title: string;
  /** The trial whose settings were chosen, and its label. */
  readonly chosen?: { readonly trial: number; readonly words: string };
}

/** Plots the trials' scores over each setting as SVG, the most important setting first. */
export function importancePlot(
  plan: SearchPlan,
  results: readonly PieceResult[],
  { title, chosen }: Caption,
): string {
  const trials = comparableTrials(plan, results);
  const finite = trials.filter((t) => Number.isFinite(t.score));
  const failed = trials.filter((t) => !Number.isFinite(t.score));
  const all = importances(plan, results);
  const isChosen = (t: ScoredTrial) => t.trial === chosen?.trial;
  // The chosen trial is drawn last, on top.
  const ordered = [...finite.filter((t) => !isChosen(t)), ...finite.filter(isChosen)];
  const columns = Math.min(3, plan.space.length);
  const panels = all.map((m, i) => {
    const x = left + (i % columns) * (width + gap + left);
    const y = top + Math.floor(i / columns) * (height + gap + 40);
    return panel(x, y, m.dimension, importanceText(m));
  });
  const subtitle = `Return after ${compact(comparedAt(plan, results))} steps. ${
    all.some((m) => m.share === undefined)
      ? `Importance of settings: ${importancesText(all)}.`
      : "Percentages: share of the variance that a setting explains."
  }`;
  const rows = Math.ceil(plan.space.length / columns);
  const legend = [
    ...(chosen ? [`${dot(left + 5, 66, true)}${text(left + 16, 70, chosen.words)}`] : []),
    ...(failed.length
      ? [`<text class="x" x="${left + 5}" y="88">×</text>${text(left + 16, 88, "failed")}`]
      : []),
  ];
  const wide = Math.max(8 * title.length, 6.5 * subtitle.length, 6.5 * (chosen?.words.length ?? 0) + 16);
  const size = [
    Math.ceil(Math.max(columns * (width + gap + left), wide + left) + gap),
    top + rows * (height + gap + 40) + 10,
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size[0]} ${size[1]}" width="${size[0]}" height="${size[1]}">
<style>text{font:12px system-ui,sans-serif;fill:#3f3f46}.h{font-size:14px;font-weight:600}.t{font-weight:600}.m,.x{text-anchor:middle}.e{text-anchor:end}.x{fill:#b91c1c}</style>
<rect width="100%" height="100%" fill="#fff"/>
${text(left, 24, title, "h")}
${text(left, 46, subtitle)}
${[...legend, ...panels].join("\n")}
</svg>
`;

  function panel(x: number, y: number, dimension: Dimension, name: string): string {
    const scores = finite.map((t) => t.score);
    const [least, most] = [Math.min(...scores), Math.max(...scores)];
    const across = (place: number) => x + margin + place * (width - 2 * margin);
    const up = (score: number) => {
      const share = most > least ? (score - least) / (most - least) : 0.5;
      return y + height - margin - share * (height - 2 * margin);
    };
    const at = (t: ScoredTrial) => across(placeOf(dimension, t.settings[dimension.name]));
    const middle = y + height / 2;
    return [
      text(x, y - 10, name, "t"),
      `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="none" stroke="#d4d4d8"/>`,
      `<text class="m" transform="rotate(-90 ${x - 50} ${middle})" x="${x - 50}" y="${middle}">return</text>`,
      ...[...new Set([most, least])].map((score) => text(x - 6, up(score) + 4, short(score), "e")),
      ...ends(dimension).map(([place, words]) => text(across(place), y + height + 18, words, "m")),
      ...ordered.map((t) => dot(at(t), up(t.score), isChosen(t))),
      ...failed.map((t) => text(at(t), y + height - 2, "×", "x")),
    ].join("\n");
  }
}

/** Tick labels of a panel: the ends and the middle of a range, or each choice. */
function ends(d: Dimension): (readonly [number, string])[] {
  if ("choices" in d)
    return d.choices.map((c, i) => [
      (i + 0.5) / d.choices.length,
      typeof c === "string" ? c : JSON.stringify(c),
    ]);
  return [0, 0.5, 1].map((place) => [place, `${valueAt(d, place)}`]);
}

const dot = (x: number, y: number, isChosen: boolean) =>
  isChosen
    ? `<circle cx="${fixed(x)}" cy="${fixed(y)}" r="5" fill="${marked}" stroke="#fff"/>`
    : `<circle cx="${fixed(x)}" cy="${fixed(y)}" r="3.5" fill="${plain}" fill-opacity="0.65"/>`;

const text = (x: number, y: number, words: string, kind?: string) =>
  `<text${kind ? ` class="${kind}"` : ""} x="${fixed(x)}" y="${fixed(y)}">${escaped(words)}</text>`;

const fixed = (x: number) => x.toFixed(1);
const short = (x: number) => (Number.isFinite(x) ? `${Number(x.toPrecision(3))}` : "");
const escaped = (words: string) => words.replace(/&/g, "&amp;").replace(/</g, "&lt;");
