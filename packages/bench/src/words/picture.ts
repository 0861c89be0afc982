/** A line of a plot: accuracy, with its spread over seeds. */
export interface Line {
  readonly name: string;
  readonly colour: string;
  /** The first value is before training. */
  readonly mean: readonly number[];
  readonly low: readonly number[];
  readonly high: readonly number[];
}

/** One panel of a plot: a task with its lines. */
export interface Panel {
  readonly title: string;
  readonly lines: readonly Line[];
}

const [width, height, columns] = [250, 190, 3];
const box = { left: 40, right: width - 12, top: 30, bottom: height - 28 };

/** Panels side by side, each accuracy from 0 to 100% over equal compute; bands are from the worst to the best seed. */
export function picture(panels: readonly Panel[], caption: string): string {
  const rows = Math.ceil(panels.length / columns);
  const all = panels.map((p, i) => {
    const [x, y] = [(i % columns) * width, Math.floor(i / columns) * height];
    return `<g transform="translate(${x} ${y})">${panel(p)}</g>`;
  });
  const named = new Map(panels.flatMap((p) => p.lines).map((l) => [l.name, l]));
  const legend = [...named.values()].map(
    (l, i) =>
      `<rect x="${40 + 190 * i}" y="${rows * height + 8}" width="14" height="4" fill="${l.colour}"/>` +
      `<text x="${60 + 190 * i}" y="${rows * height + 14}">${l.name}</text>`,
  );
  const size = [columns * width, rows * height + 44];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size[0]} ${size[1]}" width="${size[0]}" height="${size[1]}">`,
    `<style>text{font:11px system-ui,sans-serif;fill:#667}.title{font-weight:600;fill:#445}.grid{stroke:#8884;stroke-width:1}@media(prefers-color-scheme:dark){text{fill:#aab}.title{fill:#ccd}}</style>`,
    ...all,
    ...legend,
    `<text x="40" y="${rows * height + 34}">${caption}</text>`,
    "</svg>\n",
  ].join("\n");
}

function panel({ title, lines }: Panel): string {
  const count = Math.max(...lines.map((l) => l.mean.length)) - 1;
  const x = (i: number) => (box.left + (i / count) * (box.right - box.left)).toFixed(1);
  const y = (v: number) => (box.bottom - v * (box.bottom - box.top)).toFixed(1);
  const grid = [0, 0.25, 0.5, 0.75, 1].map(
    (v) =>
      `<line x1="${box.left}" x2="${box.right}" y1="${y(v)}" y2="${y(v)}" class="grid"/>` +
      `<text x="${box.left - 6}" y="${Number(y(v)) + 4}" text-anchor="end">${100 * v}</text>`,
  );
  const points = (values: readonly number[]) => values.map((v, i) => `${x(i)},${y(v)}`);
  const drawn = lines.map(
    (l) =>
      `<polygon points="${[...points(l.high), ...points(l.low).reverse()].join(" ")}" fill="${l.colour}" opacity="0.18"/>` +
      `<polyline points="${points(l.mean).join(" ")}" fill="none" stroke="${l.colour}" stroke-width="2"/>`,
  );
  return [`<text x="${box.left}" y="18" class="title">${title}</text>`, ...grid, ...drawn].join("");
}
