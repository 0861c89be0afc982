import type { Point, Rendering, RenderShape } from "@reins/core";

/** Bits in rows of sixteen: filled where set, framed in green where they match the goal and in red elsewhere. */
export function bitsPicture(bits: readonly number[], goal: readonly number[]): Rendering {
  const [side, margin, perLine] = [28, 10, 16];
  const shapes = bits.flatMap((bit, i): RenderShape[] => {
    const [x, y] = [margin + (i % perLine) * side, margin + Math.floor(i / perLine) * side];
    const corners: Point[] = [
      [x + 3, y + 3],
      [x + side - 3, y + 3],
      [x + side - 3, y + side - 3],
      [x + 3, y + side - 3],
    ];
    return [
      { kind: "polygon", points: corners, color: bit ? "#24292f" : "#eaeef2" },
      {
        kind: "line",
        points: [...corners, corners[0]],
        width: 3,
        color: bit === goal[i] ? "#1a7f37" : "#cf222e",
      },
    ];
  });
  const width = 2 * margin + side * Math.min(perLine, bits.length);
  return { width, height: 2 * margin + side * Math.ceil(bits.length / perLine), shapes };
}

/** Bits over the goal, the first of them if there are many. */
export function bitsText(bits: readonly number[], goal: readonly number[]): string {
  const shown = (line: readonly number[]) => line.slice(0, 70).join("");
  return `bits ${shown(bits)}\ngoal ${shown(goal)}`;
}
