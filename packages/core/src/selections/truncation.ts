import type { Selection } from "../selection.ts";

/**
 * Drops truncated episodes, whose result is unknown. Episodes that serve as a baseline stay:
 * greedy ones and a teacher's.
 */
export function dropTruncated(): Selection {
  return {
    select: (judged) =>
      judged.filter(({ episode: e }) => e.terminated || !e.truncated || e.role !== undefined),
  };
}
