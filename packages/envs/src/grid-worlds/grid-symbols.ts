import * as symbols from "./symbols.ts";

const { empty, wall, door, key, ball, box, goal, lava, open, closed, locked } = symbols;
const [red, green, blue, purple, yellow, grey] = symbols.colorNames.map((_, color) => color);

/** The codes of cell contents, for custom generators: kinds, colors and door states. */
export const gridSymbols = {
  ...{ empty, wall, door, key, ball, box, goal, lava },
  ...{ red, green, blue, purple, yellow, grey },
  ...{ open, closed, locked },
} as const;
