import type { Generator } from "@reins/core/random";
import { stripped, wholes } from "../answers.ts";
import { between, until } from "../random.ts";
import { textTask } from "../text-task.ts";
import { type Picture, paint, things } from "./picture.ts";

/** Rows, columns, signs, rectangles and specks, and the signs asked for. Up to level 3 there is one object of #. */
const sizes = [
  [4, 4, "o", 0, 4, "#"],
  [5, 5, "o", 1, 4, "#"],
  [6, 6, "o", 2, 6, "#"],
  [6, 8, "#o", 2, 4, "#"],
  [7, 8, "#o", 4, 8, "#"],
  [8, 9, "#o", 5, 16, "#"],
  [9, 10, "#o+", 7, 24, "#o"],
  [10, 10, "#o+", 9, 40, "#o+"],
  [14, 14, "#o+", 0, 700, "#o+"],
] as const;

/** First and last row, first and last column, counted from 1. */
type Box = [top: number, bottom: number, left: number, right: number];

/**
 * Bounding boxes: the first and last row and the first and last column of the largest object, for each of the signs
 * before the colon. A box that overlaps the right one by half or more gets its intersection over union, as in object
 * detection; the score is the mean over the boxes.
 */
export const boxes = textTask<{ boxes: Box[] }>({
  id: "boxes",
  about: "Give the bounding boxes of the largest objects in an image of characters.",
  levels: sizes.length,
  alphabet: "#o+./,;:=0123456789",
  longest: { prompt: 214, answer: 35 },
  make(random, level) {
    const asked = sizes[level - 1][5];
    const [picture, found] = until(
      () => {
        const picture = draw(random, level);
        return [picture, [...asked].map((sign) => greatest(picture, sign))] as const;
      },
      ([, found]) => found.every((box) => box !== undefined),
    );
    const boxes = found as Box[];
    return {
      prompt: `${asked}:${picture.join("/")}=`,
      answer: boxes.map((box) => box.join(",")).join(";"),
      data: { boxes },
    };
  },
  verify({ data: { boxes } }, answer) {
    const given = stripped(answer)
      .split(";", boxes.length + 1)
      .map(read);
    if (given.length !== boxes.length || given.some((box) => box === undefined))
      return { score: 0, wellFormed: false, why: `It must have ${boxes.length} boxes, one per sign.` };
    const shares = boxes.map((box, i) => share(box, given[i]!));
    if (shares.every((x) => x === 1)) return { score: 1, wellFormed: true };
    const score = shares.reduce((sum, x) => sum + (x < 0.5 ? 0 : x), 0) / shares.length;
    return { score, wellFormed: true, why: `It is ${boxes.map((box) => box.join(",")).join(";")}.` };
  },
  nearMisses({ answer, data: { boxes } }) {
    const [[top, bottom, left, right], ...rest] = boxes;
    const wrong = [
      [left, right, top, bottom],
      [top, bottom + 1, left, right],
      [top, bottom, left, right + 1],
      [bottom + 1, top, left, right],
      [top, bottom, left, right, 0],
      [top, left],
      [1, 99, 1, 99],
    ];
    return wrong
      .map((box) => [box, ...rest].map((x) => x.join(",")).join(";"))
      .filter((text) => text !== answer);
  },
});

function draw(random: Generator, level: number): Picture {
  const [rows, columns, signs, rectangles, specks] = sizes[level - 1];
  const picture = paint(random, rows, columns, signs, rectangles, specks);
  if (level > 3) return picture;
  const [top, left] = [random.integers(rows), random.integers(columns)];
  const [height, width] = level === 1 ? [1, 1] : [between(random, 1, 3), between(random, 1, 3)];
  const right = Math.min(columns, left + width);
  return picture.map((row, r) =>
    r < top || r >= top + height ? row : row.slice(0, left) + "#".repeat(right - left) + row.slice(right),
  );
}

/** The box of the largest object of a sign, if it is unique. */
function greatest(picture: Picture, sign: string): Box | undefined {
  const [first, second] = things(picture)
    .filter((thing) => thing.sign === sign)
    .sort((a, b) => b.cells.length - a.cells.length);
  if (!first || first.cells.length === second?.cells.length) return undefined;
  const rows = first.cells.map(([r]) => r + 1);
  const columns = first.cells.map(([, c]) => c + 1);
  return [Math.min(...rows), Math.max(...rows), Math.min(...columns), Math.max(...columns)];
}

/** Images have no numbers beyond ninety-nine; larger areas might overflow. */
function read(text: string): Box | undefined {
  const box = wholes(text, 4)?.map(Number);
  if (box?.length !== 4 || box.some((x) => x < 1 || x > 99) || box[0] > box[1] || box[2] > box[3])
    return undefined;
  return box as Box;
}

/** Intersection over union of two boxes. */
function share(a: Box, b: Box): number {
  const overlap = (k: 0 | 2) => Math.max(0, Math.min(a[k + 1], b[k + 1]) - Math.max(a[k], b[k]) + 1);
  const area = ([top, bottom, left, right]: Box) => (bottom - top + 1) * (right - left + 1);
  const common = overlap(0) * overlap(2);
  return common / (area(a) + area(b) - common);
}
