import type { Task } from "@reins/core";
import { scoreOf } from "@reins/core/episodes";
import { learningHints, tracedGrpo } from "../shared/traces.ts";
import { termsOf } from "../testbeds/traces.ts";

/** The guidance length after an update: times the mean accuracy of the two updates before over the current one. */
export function nextLength(length: number, before: number, now: number, most: number): number {
  if (before <= 0 || now <= 0) return length;
  return Math.max(1, Math.min(most, Math.floor((length * before) / now)));
}

/** Some samples of each group continue the first tokens of the trace. Every third update changes their number, if it is adaptive. */
export function guided(given: Task, { share = 1 / 6, start = 5, most = 9, adaptive = true } = {}): Task {
  let [length, batch, history]: [number, number, number[]] = [start, 0, []];
  return {
    next(statistics) {
      batch++;
      return given.next(statistics).flatMap((p, i) => {
        const group = `${batch}:${i}`;
        const count = Math.max(1, Math.round(share * p.groupSize));
        const terms = termsOf(p);
        const hint = (Math.min(length, terms - 1) + 0.5) / terms;
        return [
          { ...p, group, groupSize: p.groupSize - count },
          { ...p, group, groupSize: count, context: { ...p.context, hint } },
        ];
      });
    },
    observe(judged) {
      given.observe?.(judged);
      history.push(judged.filter((j) => scoreOf(j) >= 1).length / judged.length);
      if (history.length < 3) return;
      const [a, b, now] = history;
      if (adaptive) length = nextLength(length, (a + b) / 2, now, most);
      history = [];
    },
  };
}

/** Guided GRPO. Guidance tokens have the advantage of their sample, with a ratio of 1. */
export const g2rpo = (adaptive: boolean) =>
  tracedGrpo("g2rpo-a", (task) => ({
    task: guided(task, { adaptive }),
    selection: { select: learningHints },
  }));
