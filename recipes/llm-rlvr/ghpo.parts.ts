import type { Task } from "@reins/core";
import { scoreOf } from "@reins/core/episodes";
import { rounds, type Sampled } from "../shared/rounds.ts";
import { tracedGrpo } from "../shared/traces.ts";

const isUnsolved = (samples: Sampled["rounds"][number]) => samples.every((j) => scoreOf(j) < 1);

/** Problems without a success are sampled again, each time with the next hint; the last group of a problem is kept. */
export const refined = (given: Task, hints: readonly number[]) =>
  rounds(given, {
    next({ problem, rounds: all }) {
      const hint = hints[all.length - 1];
      return hint !== undefined && isUnsolved(all[all.length - 1])
        ? { ...problem, context: { ...problem.context, hint } }
        : undefined;
    },
    choose: ({ rounds: all }) => all[all.length - 1],
  });

/** GRPO on groups with as long a prefix of the trace as they need. Hints are not trained on. */
export const ghpo = (hints: readonly number[]) =>
  tracedGrpo("ghpo", (task) => ({ ...refined(task, hints), from: "policy" }));
