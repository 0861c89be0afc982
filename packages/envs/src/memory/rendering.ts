import type { Color, Point, Rendering, RenderShape } from "@reins/core";

/** A card to remember. */
export interface Card {
  readonly text: string;
  readonly color: Color;
  /** Whether it is the current one. */
  readonly now: boolean;
}

const colors: readonly Color[] = ["#ffb3ad", "#aeeabf", "#ffe58a", "#a8d1ff", "#dcc2ff", "#ffd0a8"];

/** A symbol as a letter. */
export const letterOf = (symbol: number): string => String.fromCharCode(65 + (symbol % 26));

/** The card of a symbol; gray if the agent does not see it now. */
export function card(symbol: number, { now, open }: { now: boolean; open: boolean }): Card {
  return { text: letterOf(symbol), color: open ? colors[symbol % colors.length] : "#d0d7de", now };
}

/** Cards in rows of ten, the current one framed, and a caption. */
export function cardsPicture(cards: readonly Card[], text: string): Rendering {
  const [side, margin, perLine] = [48, 14, 10];
  const lines = Math.ceil(cards.length / perLine);
  const shapes = cards.flatMap(({ text: letter, color, now }, i): RenderShape[] => {
    const [x, y] = [margin + (i % perLine) * side, margin + Math.floor(i / perLine) * side];
    const corners: Point[] = [
      [x + 4, y + 4],
      [x + side - 4, y + 4],
      [x + side - 4, y + side - 4],
      [x + 4, y + side - 4],
    ];
    const frame: RenderShape = { kind: "line", points: [...corners, corners[0]], width: 3, color: "#0969da" };
    return [
      { kind: "polygon", points: corners, color },
      ...(now ? [frame] : []),
      { kind: "text", text: letter, at: [x + side / 2 - 5, y + side / 2 + 8], size: 15, color: "#24292f" },
    ];
  });
  const [width, height] = [perLine * side + 2 * margin, lines * side + 2 * margin + 20];
  const words: RenderShape = { kind: "text", text, at: [margin, height - margin], size: 8, color: "#57606a" };
  return { width, height, shapes: [...shapes, words] };
}
