import type { Selection } from "../selection.ts";

/** Leaves out episodes that were cut off at their limit: what they would have come to is not known. */
export function lasting(): Selection {
  return { choose: (judged) => judged.filter((j) => !j.episode.truncated) };
}
