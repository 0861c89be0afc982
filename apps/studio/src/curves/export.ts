import { duration, exact, short } from "../format.ts";
import type { PlotLine } from "./plot-options.ts";
import type { Drawn } from "./pyramid.ts";
import { logTicks, ticks } from "./ticks.ts";
import { yRange } from "./y-range.ts";

/** A chart to export. */
export interface Exported {
  readonly title: string;
  readonly axis: "step" | "time" | "episode";
  readonly lines: readonly PlotLine[];
  readonly smoothing: number;
  readonly log: boolean;
  readonly range: readonly [number, number];
}

const [width, height, left, bottom, top, right] = [800, 480, 70, 50, 50, 20];

/** Curves as SVG, on white, with a legend. */
export function svgOf({ title, axis, lines, smoothing, log, range: [from, to] }: Exported): string {
  const drawn = lines.map((line) => {
    const of = (curve: PlotLine["curve"] | undefined) => curve?.smooth(smoothing, from, to, 600);
    return { ...line, middle: of(line.curve)!, under: of(line.low), over: of(line.high) };
  });
  const values = drawn.flatMap(({ middle, under, over }) => [middle, under, over].flatMap((d) => d?.y ?? []));
  const known = values.filter((v): v is number => v !== null && (!log || v > 0));
  const [low, high] = spread(known, log);
  const scale = (v: number) => (log ? Math.log10(v) : v);
  const x = (v: number) => left + ((v - from) / (to - from || 1)) * (width - left - right);
  const y = (v: number) =>
    height - bottom - ((scale(v) - scale(low)) / (scale(high) - scale(low) || 1)) * (height - top - bottom);
  const pathOf = (d: Drawn) =>
    d.x.flatMap((at, i) => {
      const v = d.y[i];
      return v === null || at < from || at > to || (log && v <= 0)
        ? []
        : [`${x(at).toFixed(1)},${y(v).toFixed(1)}`];
    });
  const parts: string[] = [];
  for (const v of log ? logTicks(low, high, 6) : ticks(low, high, 6))
    parts.push(
      `<line x1="${left}" x2="${width - right}" y1="${y(v)}" y2="${y(v)}" stroke="#e5e5e5"/>`,
      text(left - 8, y(v) + 4, short(v), "end"),
    );
  for (const at of ticks(from, to, 6))
    parts.push(text(x(at), height - bottom + 20, axis === "time" ? duration(at) : exact(at), "middle"));
  drawn.forEach(({ label, color, dash, middle, under, over }, i) => {
    const gaps = dash ? ` stroke-dasharray="${dash.join(" ")}"` : "";
    if (under && over)
      parts.push(
        `<polygon points="${[...pathOf(over), ...pathOf(under).reverse()].join(" ")}" fill="${color}" opacity="0.15"/>`,
      );
    for (const piece of piecesOf(middle))
      parts.push(
        `<polyline points="${pathOf(piece).join(" ")}" fill="none" stroke="${color}" stroke-width="2"${gaps}/>`,
      );
    parts.push(
      `<line x1="${left + 10}" x2="${left + 34}" y1="${top + 8 + i * 18}" y2="${top + 8 + i * 18}" stroke="${color}" stroke-width="3"${gaps}/>`,
      text(left + 40, top + 12 + i * 18, label, "start"),
    );
  });
  parts.push(text(width / 2, 26, title, "middle", 16), text(width / 2, height - 10, axis, "middle"));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#fff"/>${parts.join("")}</svg>`;
}

/** The parts of a line between gaps. */
function piecesOf({ x, y }: Drawn): Drawn[] {
  const pieces: Drawn[] = [];
  for (let i = 0; i < x.length; i++) {
    if (y[i] === null) continue;
    if (i === 0 || y[i - 1] === null) pieces.push({ x: [], y: [] });
    const piece = pieces[pieces.length - 1];
    piece.x.push(x[i]);
    piece.y.push(y[i]);
  }
  return pieces;
}

function spread(known: readonly number[], log: boolean): [number, number] {
  const [low, high] = known.reduce(
    ([a, b], v) => [Math.min(a, v), Math.max(b, v)],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  );
  if (known.length === 0) return log ? [1, 10] : [0, 1];
  if (low < high) return log ? [low, high] : yRange(low, high);
  return log ? [low / 2, low * 2] : [low - 0.5, low + 0.5];
}

/** Escapes a text for XML, without characters that XML does not allow. */
const plain = (words: string): string =>
  words
    .replace(/[^\P{Cc}\t\n\r]|\p{Cs}|[\ufffe\uffff]/gu, "\ufffd")
    .replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

const text = (x: number, y: number, words: string, anchor: string, size = 12): string =>
  `<text x="${x}" y="${y}" font-family="sans-serif" font-size="${size}" fill="#333" text-anchor="${anchor}">${plain(words)}</text>`;

/** Escapes a CSV cell, also against formulas in spreadsheets. */
function cell(words: string): string {
  const safe = /^[=+\-@\t\r]/.test(words) ? `'${words}` : words;
  return /[",\n\r]/.test(safe) ? `"${safe.replace(/"/g, '""')}"` : safe;
}

/** Curves as CSV: label, x, value and interval. */
export function csvOf({ axis, lines }: Pick<Exported, "axis" | "lines">): string {
  const rows = [`label,${axis},value,low,high`];
  for (const { label, curve, low, high } of lines) {
    const name = cell(label);
    for (let i = 0; i < curve.x.length; i++)
      rows.push(
        [name, curve.x.data[i], curve.y.data[i], low?.y.data[i] ?? "", high?.y.data[i] ?? ""].join(","),
      );
  }
  return `${rows.join("\n")}\n`;
}

/** Renders SVG as PNG. */
export async function pngOf(svg: string): Promise<Blob> {
  const image = new Image();
  const address = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    await new Promise((done, failed) => {
      image.onload = done;
      image.onerror = () => failed(new Error("The PNG could not be drawn. Export SVG instead."));
      image.src = address;
    });
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [2 * image.width, 2 * image.height];
    canvas.getContext("2d")!.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((done) => canvas.toBlob((blob) => done(blob!), "image/png"));
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** Downloads a file. */
export function download(name: string, content: Blob | string, type = "text/plain"): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
