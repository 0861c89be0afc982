import type { Color, Point, RenderShape } from "@reins/core";

/** Foreground and background colours. */
export const ink: Color = "#24292f";
export const paper: Color = "#ffffff";
const blue: Color = "#0969da";
const red: Color = "#cf222e";
const green: Color = "#1a7f37";

/** The corners of a rectangle. */
export const rectangle = (x: number, y: number, width: number, height: number): Point[] => [
  [x, y],
  [x + width, y],
  [x + width, y + height],
  [x, y + height],
];

/** Symbols drawn as shapes around the middle of their cell; undefined for a letter. */
export function markOf(letter: string, [cx, cy]: Point): RenderShape[] | undefined {
  const disc = (radius: number, color: Color, dx = 0, dy = 0): RenderShape => ({
    kind: "circle",
    center: [cx + dx, cy + dy],
    radius,
    color,
  });
  const area = (color: Color, ...points: Point[]): RenderShape => ({
    kind: "polygon",
    points: points.map(([x, y]): Point => [cx + x, cy + y]),
    color,
  });
  const box = (half: number, color: Color) => area(color, ...rectangle(-half, -half, 2 * half, 2 * half));
  switch (letter) {
    case "●":
      return [disc(4.5, ink)];
    case "○":
      return [disc(4.5, ink), disc(3, paper)];
    case "◉":
      return [disc(4.5, ink), disc(3.2, paper), disc(1.8, ink)];
    case "☻":
      return [disc(5, blue)];
    case "■":
      return [box(4.5, ink)];
    case "□":
      return [box(4.5, blue), box(3, paper)];
    case "▣":
      return [box(4.5, blue), box(3, paper), box(1.8, blue)];
    case "⚑":
      return [area(ink, ...rectangle(-3.7, -6, 1.5, 12)), area(green, [-3, -6], [5, -3], [-3, 0])];
    case "♦":
      return [area(red, [0, -6], [4, 0], [0, 6], [-4, 0])];
    case "♥":
      return [disc(2.4, red, -2, -2), disc(2.4, red, 2, -2), area(red, [-4.2, -1], [4.2, -1], [0, 5])];
    case "♠":
      return [
        ...[disc(2.4, ink, -2, 1), disc(2.4, ink, 2, 1)],
        area(ink, [-4.2, 0], [4.2, 0], [0, -6]),
        area(ink, [0, 0], [2, 6], [-2, 6]),
      ];
    case "♣":
      return [
        ...[disc(2.3, ink, 0, -3), disc(2.3, ink, -2.4, 1), disc(2.3, ink, 2.4, 1)],
        area(ink, [0, -2], [2, 6], [-2, 6]),
      ];
    default:
      return undefined;
  }
}
