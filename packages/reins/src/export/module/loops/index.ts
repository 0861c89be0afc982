import * as moving from "./indexing.ts";
import * as lines from "./lines.ts";
import * as single from "./single.ts";

/**
 * The loops of an exported module. Their text goes into it as it stands in these files, those that it needs: each must do without imports and
 * without the others. Arrays are in the order of rows, and have the right sizes.
 */
export const loops = { ...moving, ...lines, ...single };

/** The name of a loop. */
export type LoopName = keyof typeof loops;
