import type { Selection } from "../selection.ts";

/**
 * Leaves out episodes that were cut off at their limit: what they would have come to is not known. Plays that are only compared with
 * stay: those without chance, and a teacher's.
 */
export function untruncated(): Selection {
  return {
    choose: (judged) =>
      judged.filter(({ episode: e }) => e.terminated || !e.truncated || e.role !== undefined),
  };
}
