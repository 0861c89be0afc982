import type { JudgedEpisode, Selection } from "../selection.ts";

/** Calls a function at each update with all episodes and with those that are trained on. Without an inner selection these are the same. */
export function watch(
  look: (played: readonly JudgedEpisode[], chosen: readonly JudgedEpisode[]) => void,
  inner: Selection = { select: (judged) => judged },
): Selection {
  return {
    ...inner,
    select(judged) {
      const chosen = inner.select(judged);
      if (chosen) look(judged, chosen);
      return chosen;
    },
  };
}
