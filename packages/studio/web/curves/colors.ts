/** Colours of lines that can be told apart, also by people who see fewer of them, on light and on dark ground. */
const light = [
  "#c2410c",
  "#1d6fd1",
  "#15803d",
  "#9333ea",
  "#0e7490",
  "#be185d",
  "#713f12",
  "#65a30d",
  "#475569",
];
const dark = [
  "#fb923c",
  "#60a5fa",
  "#4ade80",
  "#c084fc",
  "#22d3ee",
  "#f472b6",
  "#fde047",
  "#a3e635",
  "#94a3b8",
];

/** The colour of the nth line. */
export function lineColor(n: number): string {
  const all = document.documentElement.dataset.theme === "dark" ? dark : light;
  return all[n % all.length];
}

/** Strokes and gaps of lines after the first ones, when all colours are used up. */
const dashes: readonly (readonly number[] | undefined)[] = [undefined, [9, 5], [2, 4], [12, 4, 2, 4]];

/** What a line is known by. */
export interface LineLook {
  readonly color: string;
  /** How long its strokes and the gaps between them are, in turn; without, it has no gaps. */
  readonly dash?: readonly number[];
}

/** How the nth of many lines looks: each colour comes again with another stroke. */
export function lineLook(n: number): LineLook {
  const dash = dashes[Math.floor(n / light.length) % dashes.length];
  return { color: lineColor(n), ...(dash ? { dash } : {}) };
}

/** The same as what fills a small box beside a name. */
export function fillOf({ color, dash }: LineLook): string {
  if (!dash) return color;
  let at = 0;
  const parts = dash.map((length, i) => {
    const from = at;
    at += length / 2;
    return `${i % 2 === 0 ? color : "transparent"} ${from}px ${at}px`;
  });
  return `repeating-linear-gradient(90deg, ${parts.join(", ")})`;
}

/** A colour of the page by its name in the style sheet. */
export const pageColor = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
