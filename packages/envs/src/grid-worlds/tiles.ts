import {
  ball,
  box,
  closed,
  colors,
  door,
  empty,
  goal,
  key,
  kinds,
  lava,
  locked,
  open,
  statuses,
  unseen,
  wall,
} from "./symbols.ts";

/** Pixels along each side of a cell, in observations. */
export const tileSide = 8;
const tileBytes = tileSide * tileSide * 3;

type Rgb = readonly [red: number, green: number, blue: number];
/** By color number. */
const paints: readonly Rgb[] = [
  [255, 0, 0],
  [0, 255, 0],
  [0, 0, 255],
  [112, 39, 195],
  [255, 255, 0],
  [100, 100, 100],
];
const floor: Rgb = [0, 0, 0];
const grid: Rgb = [60, 60, 60];
const unlit: Rgb = [25, 25, 25];

/** Appearance of each kind: `#` in its color, `+` darker, `.` the floor, `-` the grid line. */
const drawings: { readonly [kind: number]: readonly string[] } = {
  [key]: ["--------", "-..##...", "-.#..#..", "-..##...", "-...#...", "-..##...", "-...#...", "-..##..."],
  [ball]: ["--------", "-..###..", "-.#####.", "-.#####.", "-.#####.", "-.#####.", "-..###..", "-......."],
  [box]: ["--------", "-######.", "-#....#.", "-######.", "-#....#.", "-#....#.", "-######.", "-......."],
  [goal]: ["--------", "-#######", "-#######", "-#######", "-#######", "-#######", "-#######", "-#######"],
  [lava]: ["########", "#+##+###", "+#++#+##", "####+###", "#+##+###", "+#++#+##", "########", "########"],
  [wall]: ["########", "########", "########", "########", "########", "########", "########", "########"],
  [empty]: ["--------", "-.......", "-.......", "-.......", "-.......", "-.......", "-.......", "-......."],
};
const doors: { readonly [status: number]: readonly string[] } = {
  [open]: ["-------#", "-......#", "-......#", "-......#", "-......#", "-......#", "-......#", "-------#"],
  [closed]: ["########", "#......#", "#.####.#", "#.#..#.#", "#.#.##.#", "#.####.#", "#......#", "########"],
  [locked]: ["########", "#++++++#", "#++++++#", "#+++##+#", "#+++##+#", "#++++++#", "#++++++#", "########"],
};
const arrow = [
  "--------",
  "-.......",
  "-...#...",
  "-...#...",
  "-..###..",
  "-..###..",
  "-.#####.",
  "-.#####.",
];

/** Pixels of every possible cell: by kind, color and status. A pixel row is six words. */
export const tiles = new Uint8Array(kinds * colors * statuses * tileBytes);
/** The cell pixels in words of four bytes, which copy faster. */
export const tileWords = new Uint32Array(tiles.buffer);
/** Byte offset of a cell's pixels. */
export const tileOf = (kind: number, color: number, status: number): number =>
  ((kind * colors + color) * statuses + status) * tileBytes;
/** The agent's tile, which is separate from cell kinds. */
export const agentTile = tileOf(kinds - 1, 0, 0);

for (let kind = 0; kind < kinds; kind++)
  for (let color = 0; color < colors; color++)
    for (let status = 0; status < statuses; status++) {
      const paint: Rgb = kind === lava ? [255, 128, 0] : paints[color];
      const lines = kind === door ? doors[status] : kind === kinds - 1 ? arrow : drawings[kind];
      paintTile(tileOf(kind, color, status), lines, paint, kind === unseen ? unlit : floor);
    }

function paintTile(start: number, lines: readonly string[] | undefined, paint: Rgb, ground: Rgb): void {
  for (let y = 0; y < tileSide; y++)
    for (let x = 0; x < tileSide; x++) {
      const mark = lines?.[y][x] ?? ".";
      const rgb =
        mark === "#"
          ? paint
          : mark === "-"
            ? grid
            : mark === "+"
              ? paint.map((c) => Math.floor(c * 0.45))
              : ground;
      tiles.set(rgb, start + 3 * (y * tileSide + x));
    }
}
