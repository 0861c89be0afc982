import * as symbols from "./symbols.ts";

const { empty, wall, door, key, ball, box, goal, lava, open, closed, locked } = symbols;
const [red, green, blue, purple, yellow, grey] = symbols.colorNames.map((_, color) => color);

/** The numbers of what a level's cells hold, for generators of one's own: kinds, colors, and what a door may be. */
export const gridSymbols = {
  ...{ empty, wall, door, key, ball, box, goal, lava },
  ...{ red, green, blue, purple, yellow, grey },
  ...{ open, closed, locked },
} as const;
