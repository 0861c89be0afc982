import { comparable, mattered, matteredText } from "./mattered.ts";
import type { Plan, Scored, Told } from "./search.ts";
import { type Dimension, placeOf, valueAt } from "./space.ts";

const [width, height, gap, left, top] = [260, 170, 28, 52, 58];

/** What mattered, as an SVG picture: the trials' scores over each setting, the setting that explains most first. */
export function matteredPicture(plan: Plan, told: readonly Told[], title: string): string {
  const trials = comparable(plan, told);
  const finite = trials.filter((t) => Number.isFinite(t.score));
  const scores = finite.map((t) => t.score);
  const [least, most] = [Math.min(...scores), Math.max(...scores)];
  const span = most - least || 1;
  const columns = Math.min(3, plan.space.length);
  const panels = mattered(plan, told).map((m, i) => {
    const { dimension } = m;
    const [x, y] = [
      left + (i % columns) * (width + gap + left),
      top + Math.floor(i / columns) * (height + gap + 40),
    ];
    const across = (t: Scored) => x + placeOf(dimension, t.settings[dimension.name]) * width;
    const up = (score: number) => y + height - ((score - least) / span) * height;
    const dots = finite.map(
      (t) =>
        `<circle cx="${fixed(across(t))}" cy="${fixed(up(t.score))}" r="3.5" fill="${t.score === most ? "#c2410c" : "#1d4ed8"}" fill-opacity="0.65"/>`,
    );
    const failed = trials
      .filter((t) => !Number.isFinite(t.score))
      .map((t) => `<text class="x" x="${fixed(across(t))}" y="${y + height + 4}">×</text>`);
    return [
      `<text class="t" x="${x}" y="${y - 10}">${matteredText(m)}</text>`,
      `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="none" stroke="#d4d4d8"/>`,
      `<text class="e" x="${x - 6}" y="${y + 10}">${short(most)}</text>`,
      `<text class="e" x="${x - 6}" y="${y + height}">${short(least)}</text>`,
      ...ends(dimension).map(
        ([place, text]) =>
          `<text class="m" x="${fixed(x + place * width)}" y="${y + height + 18}">${text}</text>`,
      ),
      ...dots,
      ...failed,
    ].join("\n");
  });
  const rows = Math.ceil(plan.space.length / columns);
  const size = [columns * (width + gap + left) + left, top + rows * (height + gap + 40) + 10];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size[0]} ${size[1]}" width="${size[0]}" height="${size[1]}">
<style>text{font:12px system-ui,sans-serif;fill:#3f3f46}.h{font-size:14px}.t{font-weight:600}.m,.x{text-anchor:middle}.e{text-anchor:end}.x{fill:#b91c1c}</style>
<rect width="100%" height="100%" fill="#fff"/>
<text class="h" x="${left}" y="20">${title}: how much of the differences each setting explains</text>
${panels.join("\n")}
</svg>
`;
}

/** What stands under a panel: the ends of a range and its middle, or each choice. */
function ends(d: Dimension): (readonly [number, string])[] {
  if ("choices" in d)
    return d.choices.map((c, i) => [
      (i + 0.5) / d.choices.length,
      escaped(typeof c === "string" ? c : JSON.stringify(c)),
    ]);
  return [0, 0.5, 1].map((place) => [place, `${valueAt(d, place)}`]);
}

const fixed = (x: number) => x.toFixed(1);
const short = (x: number) => (Number.isFinite(x) ? `${Number(x.toPrecision(3))}` : "");
const escaped = (text: string) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;");
