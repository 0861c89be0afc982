import * as indexing from "./indexing.ts";
import * as lines from "./lines.ts";
import * as single from "./single.ts";

/**
 * The loops of an exported module. The source text of the used ones is copied into it, so each must be self-contained. Arrays are row-major and
 * have the right sizes.
 */
export const loops = { ...indexing, ...lines, ...single };

/** The name of a loop. */
export type LoopName = keyof typeof loops;
