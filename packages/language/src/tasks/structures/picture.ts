import type { Generator } from "@reins/core/random";
import { between, many } from "../random.ts";

/** A character image: rows of characters, where a dot is empty. */
export type Picture = readonly string[];

/** A connected component: cells of one character that touch at their sides. */
export interface Thing {
  readonly sign: string;
  readonly cells: readonly (readonly [row: number, column: number])[];
}

/** The connected components of an image, in reading order. */
export function things(picture: Picture): Thing[] {
  const seen = new Set<string>();
  const found: Thing[] = [];
  picture.forEach((row, r) => {
    [...row].forEach((sign, c) => {
      if (sign === "." || seen.has(`${r},${c}`)) return;
      const cells: [number, number][] = [[r, c]];
      seen.add(`${r},${c}`);
      for (const [y, x] of cells)
        for (const [ny, nx] of [
          [y - 1, x],
          [y + 1, x],
          [y, x - 1],
          [y, x + 1],
        ] as [number, number][])
          if (picture[ny]?.[nx] === sign && !seen.has(`${ny},${nx}`)) {
            seen.add(`${ny},${nx}`);
            cells.push([ny, nx]);
          }
      found.push({ sign, cells });
    });
  });
  return found;
}

/** Overlapping rectangles with specks on top. */
export function paint(
  random: Generator,
  rows: number,
  columns: number,
  signs: string,
  rectangles: number,
  specks: number,
): string[] {
  const cells = many(rows, () => many(columns, () => "."));
  for (let i = 0; i < rectangles; i++) {
    const [top, left] = [random.integers(rows), random.integers(columns)];
    const [bottom, right] = [
      Math.min(rows - 1, top + between(random, 0, 3)),
      Math.min(columns - 1, left + between(random, 0, 3)),
    ];
    const sign = random.choice(signs);
    for (let r = top; r <= bottom; r++) for (let c = left; c <= right; c++) cells[r][c] = sign;
  }
  for (let i = 0; i < specks; i++)
    cells[random.integers(rows)][random.integers(columns)] = random.choice(signs);
  return cells.map((row) => row.join(""));
}
