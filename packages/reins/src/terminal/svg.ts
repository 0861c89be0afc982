import { compact, short } from "./format.ts";
import { palette } from "./ink.ts";
import { range, type Series } from "./plot.ts";
import { ticks } from "./scale.ts";
import { smoothed } from "./smoothing.ts";

/** Options of {@link svg}. */
export interface SvgOptions {
  readonly title: string;
  readonly unit?: string;
  readonly goal?: number;
  /** Window of the moving average in rows; the raw curve is drawn faintly. */
  readonly smooth?: number;
  readonly width?: number;
  readonly height?: number;
}

/** Plots curves as a standalone SVG image, readable on light and dark backgrounds. */
export function svg(series: readonly Series[], options: SvgOptions): string {
  const { title, unit = "steps", goal, smooth = 1, width = 760, height = 420 } = options;
  const box = {
    left: 64,
    right: width - 20,
    top: 48,
    bottom: height - 44 - 20 * Math.ceil(series.length / 3),
  };
  const [low, high] = range(series, goal);
  const last = Math.max(1, ...series.map((s) => (s.x.length ? s.x[s.x.length - 1] : 0)));
  const toX = (x: number) => box.left + (x / last) * (box.right - box.left);
  const toY = (y: number) => box.bottom - ((y - low) / (high - low)) * (box.bottom - box.top);
  const at = (x: number) => x.toFixed(1);
  const grid = ticks(low, high, 6).map(
    (m) =>
      `<line x1="${box.left}" x2="${box.right}" y1="${at(toY(m))}" y2="${at(toY(m))}" class="grid"/>` +
      `<text x="${box.left - 8}" y="${at(toY(m) + 4)}" text-anchor="end">${short(m)}</text>`,
  );
  const axis = ticks(0, last, 6).map(
    (m) => `<text x="${at(toX(m))}" y="${box.bottom + 20}" text-anchor="middle">${compact(m)}</text>`,
  );
  const curve = ({ x, y }: Series, i: number, more = "") => {
    const points = Array.from({ length: x.length }, (_, k) => k)
      .filter((k) => Number.isFinite(y[k]))
      .map((k) => `${at(toX(x[k]))},${at(toY(y[k]))}`);
    return `<polyline points="${points.join(" ")}" stroke="${color(i)}"${more}/>`;
  };
  const lines =
    smooth > 1
      ? [
          ...series.map((s, i) => curve(s, i, ' stroke-opacity=".25"')),
          ...series.map((s, i) => curve(smoothed(s, smooth), i)),
        ]
      : series.map((s, i) => curve(s, i));
  const legend = series.map(({ name }, i) => {
    const [x, y] = [box.left + (i % 3) * 230, box.bottom + 44 + 20 * Math.floor(i / 3)];
    return (
      `<line x1="${x}" x2="${x + 22}" y1="${y - 4}" y2="${y - 4}" stroke="${color(i)}" stroke-width="3"/>` +
      `<text x="${x + 28}" y="${y}">${escape(name)}</text>`
    );
  });
  const mark =
    goal === undefined
      ? ""
      : `<line x1="${box.left}" x2="${box.right}" y1="${at(toY(goal))}" y2="${at(toY(goal))}" class="goal"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">
<style>text{font:13px system-ui,sans-serif;fill:#888}.title{font-size:16px;font-weight:600}.grid{stroke:#888;stroke-opacity:.25}
.goal{stroke:#1eaa78;stroke-dasharray:4 4}polyline{fill:none;stroke-width:2;stroke-linejoin:round}</style>
<text x="${box.left}" y="28" class="title">${escape(title)}</text>
${grid.join("\n")}
${axis.join("\n")}
<text x="${box.right}" y="${box.bottom + 38}" text-anchor="end">${escape(unit)}</text>
${mark}
${lines.join("\n")}
${legend.join("\n")}
</svg>
`;
}

const color = (i: number) => `rgb(${palette[i % palette.length].join(",")})`;
const escape = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
