import type { Choice } from "./backend.ts";
import { chart } from "./chart.ts";
import type { Ink } from "./ink.ts";
import { type Mark, picture, type Square } from "./picture.ts";
import type { Progress } from "./train.ts";
import { grouped, last, percent, time } from "./words.ts";

/** What a frame shows beside progress. */
export interface Scene {
  readonly choice: Choice;
  /** The widths of all layers, and how many weights they have. */
  readonly widths: readonly number[];
  readonly weights: number;
  readonly marks: readonly Mark[];
}

const panelWidth = 32;
const gap = "   ";

/** How many lines a picture may have in a terminal of this size; below 10 there is too little room. */
export function pictureRows(columns: number, rows: number): number {
  return Math.min(rows - 2, Math.floor((columns - 1 - panelWidth - gap.length) / 2), 36);
}

/** The picture and, to its right, the numbers: as many lines as the picture has. The last column stays free: clearing a full line would eat its end. */
export function frame(
  scene: Scene,
  progress: Progress,
  square: Square,
  size: { columns: number; rows: number },
  ink: Ink,
): string[] {
  const height = pictureRows(size.columns, size.rows);
  const width = Math.min(48, size.columns - 1 - 2 * height - gap.length);
  const right = panel(scene, progress, width, height, ink);
  // A small picture has room for few points.
  return picture(square, scene.marks.slice(0, 5 * height), height, ink).map(
    (line, i) => `${line}${gap}${right[i] ?? ""}`,
  );
}

/** The numbers, in at most `height` lines of at most `width` characters. */
export function panel(
  { choice, widths, weights }: Scene,
  p: Progress,
  width: number,
  height: number,
  ink: Ink,
): string[] {
  const share = p.step / p.steps;
  const done = Math.round(share * (width - 6));
  const bar = `${"█".repeat(done)}${"░".repeat(width - 6 - done)} ${`${Math.floor(100 * share)} %`.padStart(5)}`;
  const lines = [
    ink.bold("Reins"),
    "Learning to tell spirals apart",
    "",
    `${choice.name} back end`,
    ink.dim(choice.why.slice(0, width)),
    `network ${widths.join("-")}, ${grouped(weights)} weights`.slice(0, width),
    "",
    bar,
    "",
    row("step", `${grouped(p.step)} of ${grouped(p.steps)}`),
    row("loss", last(p).toFixed(4)),
    row("accuracy", percent(p.accuracy)),
    row("speed", `${grouped(p.rate)} steps/s`),
    row("left", time(p.left)),
  ];
  const room = Math.min(8, height - lines.length - 2);
  if (room < 2) return lines;
  return [...lines, "", ink.dim("loss, log scale"), ...chart(p.losses, width, room, share)];
}

const row = (name: string, value: string) => `${name.padEnd(10)}${value}`;
