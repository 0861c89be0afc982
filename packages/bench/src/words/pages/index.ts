import type { WordsOutcome } from "../outcome.ts";
import { methodGroups } from "../plan.ts";
import { comparisonCurves, comparisonPage } from "./comparison.ts";
import { gridPage } from "./grid.ts";
import { groupCurves, groupPage } from "./group.ts";

/** The pages and plots, by file name. */
export function pagesOf(outcome: WordsOutcome): { [name: string]: string } {
  const groups = methodGroups.flatMap(({ file, title, methods }) => {
    const own = methods.flatMap((m) => outcome.methods.filter((o) => o.contest.method === m));
    if (own.length < methods.length) return [];
    return [
      [`${file}.md`, groupPage(title, file, own)],
      [`${file}.svg`, groupCurves(own, outcome.methods)],
    ];
  });
  return {
    "words.md": comparisonPage(outcome),
    "words.svg": comparisonCurves(outcome),
    ...(outcome.grid.length ? { "words-choices.md": gridPage(outcome) } : {}),
    ...Object.fromEntries(groups),
  };
}
