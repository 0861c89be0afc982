import type { JudgedEpisode, Selection, Task, TaskItem } from "@reins/core";
import { groupEpisodes } from "@reins/core/episodes";
import { stream } from "@reins/core/random";
import { sampleProblem } from "@reins/language";
import { solveRate } from "../shared/two-phases.ts";
import { sumsTask } from "../testbeds/sums.ts";

const problemOf = (level: number, seed: number) => sampleProblem(sumsTask, level, "train", seed).prompt;
const digitsOf = (prompt: string) => [...prompt.replace("=", "")].map(Number);
const totalOf = (prompt: string) => digitsOf(prompt).reduce((a, b) => a + b);
const sorted = (prompt: string) => digitsOf(prompt).sort().join("");

/** A problem with the same answer: the digits in another order, or one digit fewer with the same total. Undefined if none is found. */
export function rewritten(
  item: TaskItem,
  how: "diversified" | "simplified",
  draw: number,
): TaskItem | undefined {
  const [level, seed] = [Number(item.context?.level), item.seed ?? 0];
  const prompt = problemOf(level, seed);
  const own = how === "simplified" ? level - 1 : level;
  if (own < 1) return undefined;
  for (let i = 0; i < 400; i++) {
    const other = stream(stream(seed, how, draw), "attempt", i);
    const found = problemOf(own, other);
    const isMade =
      how === "simplified"
        ? totalOf(found) === totalOf(prompt)
        : found !== prompt && sorted(found) === sorted(prompt);
    if (isMade) return { ...item, seed: other, context: { ...item.context, level: own } };
  }
  return undefined;
}

/** What becomes of a problem with this solve rate. */
export const change = (rate: number): "diversified" | "simplified" | undefined =>
  rate <= 0.3 ? "simplified" : rate <= 0.7 ? "diversified" : undefined;

const isMixed = (group: readonly JudgedEpisode[]) => solveRate(group) > 0 && solveRate(group) < 1;

/**
 * Hard problems are sampled again in a simplified form, medium ones in another form, and groups with both outcomes are trained on.
 * Without `rewrites` the problems themselves are sampled again.
 */
export const restructured = (rewrites: boolean) => (given: Task) => {
  let [first, second, update]: [TaskItem[], TaskItem[], number] = [[], [], 0];
  const both: Task & Selection = {
    next(statistics) {
      if (second.length > 0) return second;
      first = given.next(statistics).map((p, i) => ({ ...p, group: `${update}:${i}` }));
      return first;
    },
    observe: (judged) => given.observe?.(judged),
    select(judged) {
      const groups = groupEpisodes(judged);
      if (second.length === 0) {
        const rates = new Map(groups.map((g) => [g[0].episode.group, solveRate(g)]));
        second = first.flatMap((p) => {
          const how = change(rates.get(p.group) ?? 1);
          const made = how && (rewrites ? rewritten(p, how, update) : p);
          return made ? [{ ...made, group: `${p.group} again` }] : [];
        });
        if (second.length > 0) return undefined;
      }
      second = [];
      update++;
      const mixed = groups.filter(isMixed).flat();
      return mixed.length > 0 ? mixed : judged;
    },
  };
  return { task: both, selection: both };
};
