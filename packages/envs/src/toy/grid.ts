/** A framed grid; `at` is the agent's cell. */
export function drawGrid(cells: readonly (readonly string[])[], at: number, agent = "☻"): string {
  const width = cells[0].length;
  const bar = (left: string, middle: string, right: string) =>
    left + Array(width).fill("───").join(middle) + right;
  const lines = cells.map(
    (row, r) => `│${row.map((cell, c) => (r * width + c === at ? ` ${agent} ` : ` ${cell} `)).join("│")}│`,
  );
  return [
    bar("┌", "┬", "┐"),
    ...lines.flatMap((line, i) => (i ? [bar("├", "┼", "┤"), line] : [line])),
    bar("└", "┴", "┘"),
  ].join("\n");
}
