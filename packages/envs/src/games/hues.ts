/** Which of the twelve colors there are: every second one, those between them, or all. */
export type Palette = "pure" | "mixed" | "any";

/** Where the tops of red, green and blue lie on a circle of twelve. */
const tops = [0, 4, 8];

/** The shade of one of twelve colors around the circle: full near a top, none opposite, and between them in equal steps. Dark enough for white to stand out. */
const shade = (hue: number, top: number): number => {
  const away = Math.min((hue - top + 12) % 12, (top - hue + 12) % 12);
  return Math.min(160, Math.max(0, 80 * (4 - away)));
};

const hues = Array.from({ length: 12 }, (_, hue) => tops.map((top) => shade(hue, top)));

/** The colors of each palette, as red, green and blue in bytes. */
export const palettes: { readonly [name in Palette]: readonly (readonly number[])[] } = {
  pure: hues.filter((_, i) => i % 2 === 0),
  mixed: hues.filter((_, i) => i % 2 === 1),
  any: hues,
};
