import type { Selection } from "../selection.ts";
import { restore, save } from "../snapshot.ts";

/** Several selections in sequence: each sees the episodes that the previous one lets through. Any of them may request more. */
export function chain(...selections: readonly Selection[]): Selection {
  const parts = Object.fromEntries(selections.flatMap((s, i) => (s.save ? [[String(i), s]] : [])));
  return {
    select: (judged) =>
      selections.reduce((left: ReturnType<Selection["select"]>, s) => left && s.select(left), judged),
    save: () => save(parts),
    restore: (from) => restore(parts, from),
  };
}
