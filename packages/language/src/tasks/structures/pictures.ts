import { some } from "../random.ts";
import { listed } from "../single.ts";
import { paint, things } from "./picture.ts";

/**
 * Rows, columns, signs, rectangles and specks; the question: cells (c), objects (t) or the largest object (g); and
 * the number of signs asked about.
 */
const sizes = [
  [3, 3, "#", 0, 5, "c", 1],
  [4, 4, "#o", 0, 9, "c", 1],
  [5, 5, "#o", 2, 8, "c", 2],
  [5, 5, "#o", 2, 6, "t", 1],
  [6, 7, "#o", 4, 10, "tc", 1],
  [7, 8, "#o+", 5, 14, "t", 3],
  [8, 9, "#o+", 7, 20, "tg", 2],
  [9, 10, "#o+", 9, 28, "tg", 3],
  [9, 10, "#o", 0, 130, "tg", 2],
] as const;

/**
 * Counting in an image: c# asks for the cells of #, t# for its connected components, g# for the cells of the largest
 * one.
 */
export const pictures = listed({
  id: "pictures",
  about: "Count cells and objects in an image of characters.",
  levels: sizes.length,
  alphabet: "#o+./ctg,:=0123456789",
  longest: { prompt: 117, answer: 17 },
  make(random, level) {
    const [rows, columns, signs, rectangles, specks, kinds, count] = sizes[level - 1];
    const picture = paint(random, rows, columns, signs, rectangles, specks);
    const found = things(picture);
    const asked = some(random, count, signs).flatMap((sign) => [...kinds].map((kind) => kind + sign));
    const answers = asked.map(([kind, sign]) => {
      const areas = found.filter((thing) => thing.sign === sign).map((thing) => thing.cells.length);
      return kind === "t"
        ? areas.length
        : kind === "g"
          ? Math.max(0, ...areas)
          : areas.reduce((a, b) => a + b, 0);
    });
    return [`${asked.join(",")}:${picture.join("/")}=`, answers.join(",")];
  },
});
