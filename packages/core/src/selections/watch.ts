import type { JudgedEpisode, Selection } from "../selection.ts";

/** Lets somebody look at each update: at what was played for it, and at what of it is learned from. Without an inner selection that is all. */
export function watch(
  look: (played: readonly JudgedEpisode[], chosen: readonly JudgedEpisode[]) => void,
  inner: Selection = { choose: (judged) => judged },
): Selection {
  return {
    ...inner,
    choose(judged) {
      const chosen = inner.choose(judged);
      if (chosen) look(judged, chosen);
      return chosen;
    },
  };
}
