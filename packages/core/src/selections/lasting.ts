import { ownSteps } from "../episode.ts";
import type { Selection } from "../selection.ts";

/**
 * Leaves out episodes that were cut off at their limit: what they would have come to is not known. Plays that are only compared with,
 * in which no step is the policy's own, stay.
 */
export function lasting(): Selection {
  return {
    choose: (judged) => judged.filter(({ episode: e }) => e.terminated || !e.truncated || ownSteps(e) === 0),
  };
}
