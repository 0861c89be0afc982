import type { Program } from "../shared/code-rewards.ts";

/**
 * 0.5 for a correct program, and up to 0.5 more the nearer its time is to that of an efficient reference. The time of a program is its
 * number of statements.
 */
export const timed =
  (efficiency: boolean) =>
  ({ right, statements, needed }: Pick<Program, "right" | "statements" | "needed">): number => {
    if (!right) return 0;
    return 0.5 + 0.5 * (efficiency ? Math.min(needed / statements.length, 1) : 1);
  };
