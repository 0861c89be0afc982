/** Distinct line colours, safe for colour blindness, on light and dark backgrounds. */
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

/** Dash patterns for lines beyond the number of colours. */
const dashes: readonly (readonly number[] | undefined)[] = [undefined, [9, 5], [2, 4], [12, 4, 2, 4]];

/** Colour and dash pattern of a line. */
export interface LineLook {
  readonly color: string;
  /** Lengths of dashes and gaps in turn; a solid line if absent. */
  readonly dash?: readonly number[];
}

/** The style of the nth line: colours repeat with another dash pattern. */
export function lineLook(n: number): LineLook {
  const dash = dashes[Math.floor(n / light.length) % dashes.length];
  return { color: lineColor(n), ...(dash ? { dash } : {}) };
}

/** The style of a line as a CSS background, for legends. */
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
