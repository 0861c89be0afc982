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

/** A colour of the page by its name in the style sheet. */
export const pageColor = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
