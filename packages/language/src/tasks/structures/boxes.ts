import { stripped, verdict, wholes } from "../answers.ts";
import { family } from "../family.ts";
import { between, until } from "../random.ts";
import { type Picture, paint, type Thing, things } from "./picture.ts";

/** Rows, columns, signs beside the one asked for, rectangles and specks; the picture of level 1 has a single cell of it. */
const sizes = [
  [4, 4, "o", 0, 4],
  [5, 5, "o", 1, 4],
  [6, 6, "o", 2, 6],
  [6, 8, "#o", 2, 4],
  [7, 8, "#o", 4, 8],
  [8, 9, "#o", 5, 16],
  [9, 10, "#o+", 7, 24],
  [10, 10, "#o+", 9, 40],
] as const;

/**
 * Where the greatest thing of # is: the first and last row and the first and last column of its cells, counted from 1. A box that covers half
 * of what it and the right one cover together gets its share of it, as is usual for finding things in pictures.
 */
export const boxes = family<{ box: [top: number, bottom: number, left: number, right: number] }>({
  id: "boxes",
  about: "Tell the box around the greatest thing in a picture of characters.",
  levels: sizes.length,
  alphabet: "#o+./,=0123456789",
  longest: { prompt: 110, answer: 11 },
  make(random, level) {
    const [rows, columns, signs, rectangles, specks] = sizes[level - 1];
    const [picture, thing] = until(
      () => {
        const drawn = paint(random, rows, columns, signs, rectangles, specks).map((row) => [...row]);
        if (!signs.includes("#")) {
          const [top, left] = [random.integers(rows), random.integers(columns)];
          const [height, width] = level === 1 ? [1, 1] : [between(random, 1, 3), between(random, 1, 3)];
          for (const row of drawn.slice(top, top + height)) row.fill("#", left, left + width);
        }
        const picture = drawn.map((row) => row.join(""));
        return [picture, greatest(picture)] as const;
      },
      ([, found]) => found !== undefined,
    );
    const ys = thing!.cells.map(([y]) => y + 1);
    const xs = thing!.cells.map(([, x]) => x + 1);
    const box: [number, number, number, number] = [
      Math.min(...ys),
      Math.max(...ys),
      Math.min(...xs),
      Math.max(...xs),
    ];
    return { prompt: `${picture.join("/")}=`, answer: box.join(","), data: { box } };
  },
  verify({ data: { box } }, answer) {
    const told = wholes(stripped(answer), 4)?.map(Number);
    // A box beyond ninety-nine is in no picture; its area might not be a number any more.
    if (told?.length !== 4 || told.some((x) => x < 1 || x > 99) || told[0] > told[1] || told[2] > told[3])
      return verdict(false, false, "It is no box.");
    const common = overlap(told[0], told[1], box[0], box[1]) * overlap(told[2], told[3], box[2], box[3]);
    const share = common / (area(told) + area(box) - common);
    if (share === 1) return verdict(true, true, "");
    return { score: share >= 0.5 ? share : 0, formed: true, why: `The box is ${box.join(",")}.` };
  },
  nearMisses: ({
    answer,
    data: {
      box: [top, bottom, left, right],
    },
  }) =>
    [
      [left, right, top, bottom].join(","),
      [top, bottom + 1, left, right].join(","),
      [top, bottom, left, right + 1].join(","),
      [bottom + 1, top, left, right].join(","),
      `${answer},0`,
      `${top},${left}`,
      "1,99,1,99",
    ].filter((text) => text !== answer),
});

/** The greatest thing of #, if there is one that is greater than all others. */
function greatest(picture: Picture): Thing | undefined {
  const [first, second] = things(picture)
    .filter((thing) => thing.sign === "#")
    .sort((a, b) => b.cells.length - a.cells.length);
  return first && first.cells.length > (second?.cells.length ?? 0) ? first : undefined;
}

const area = ([top, bottom, left, right]: readonly number[]): number =>
  (bottom - top + 1) * (right - left + 1);
const overlap = (a: number, b: number, c: number, d: number): number =>
  Math.max(0, Math.min(b, d) - Math.max(a, c) + 1);
