/** Palettes: every second of twelve colors, those in between, or all. */
export type Palette = "pure" | "mixed" | "any";

/** Positions of pure red, green and blue on a circle of twelve. */
const tops = [0, 4, 8];

/**
 * The intensity of one channel of a color on the circle: full near its position, none opposite, with equal steps
 * in between. Dark enough for white to stand out.
 */
const shade = (hue: number, top: number): number => {
  const away = Math.min((hue - top + 12) % 12, (top - hue + 12) % 12);
  return Math.min(160, Math.max(0, 80 * (4 - away)));
};

const hues = Array.from({ length: 12 }, (_, hue) => tops.map((top) => shade(hue, top)));

/** The colors of each palette, as red, green and blue bytes. */
export const palettes: { readonly [name in Palette]: readonly (readonly number[])[] } = {
  pure: hues.filter((_, i) => i % 2 === 0),
  mixed: hues.filter((_, i) => i % 2 === 1),
  any: hues,
};
