import type { Algorithm, AlgorithmContext, Metrics, Process } from "../algorithm.ts";
import { checkEnvironment } from "../environment.ts";
import { fail } from "../errors.ts";
import type { Snapshot } from "../snapshot.ts";
import { restore, save } from "../snapshot.ts";

/** One phase: an algorithm and its number of steps. */
export interface Phase {
  readonly algorithm: Algorithm;
  /** Steps until the next phase (default for the last: the rest of the budget). */
  readonly steps?: number;
  /** Transfers what the previous phase has learned (default: its weights, if they have the same structure). */
  readonly inherit?: (before: Process, now: Process) => void;
}

/** Several algorithms in sequence, each starting from the weights of the previous one: a warm start, then reinforcement learning. */
export function phases(name: string, list: readonly Phase[]): Algorithm {
  if (list.length === 0) fail(name, "got no phases. Pass at least one.");
  if (list.slice(0, -1).some((p) => p.steps === undefined))
    fail(name, "only the last phase may omit its steps. Give the others a number of steps.");
  return {
    name,
    options: {
      phases: list.map((p) => ({
        algorithm: p.algorithm.name,
        options: p.algorithm.options,
        steps: p.steps,
      })),
    },
    start(context: AlgorithmContext): Process {
      // Checked at the start rather than hours later, when its turn comes.
      for (const { algorithm } of list) {
        const { name: own, learnsFrom = "both" } = algorithm;
        if (algorithm.admit) algorithm.admit(context.place);
        else checkEnvironment(own, learnsFrom, context.place);
      }
      let at = 0;
      let taken = 0;
      const stepsOf = (i: number) => list[i].steps ?? Math.max(1, context.budget - before(i));
      const before = (i: number) => list.slice(0, i).reduce((sum, p) => sum + (p.steps ?? 0), 0);
      const begin = (i: number) => list[i].algorithm.start({ ...context, budget: stepsOf(i) });
      let process = begin(0);
      const isDone = () => process.steps >= stepsOf(at) || (process.finished ?? false);
      const advance = () => {
        const next = begin(at + 1);
        const { inherit = weightsOf } = list[at + 1];
        inherit(process, next);
        taken += process.steps;
        process.close?.();
        process = next;
        at++;
      };
      return {
        get steps() {
          return taken + process.steps;
        },
        get settings() {
          return process.settings;
        },
        get acting() {
          return process.acting;
        },
        get finished() {
          return at === list.length - 1 && isDone();
        },
        inspect: () => process.inspect?.() ?? {},
        step(): Metrics | Promise<Metrics> {
          if (isDone() && at < list.length - 1) advance();
          return process.step();
        },
        parts: {
          phase: {
            save: (): Snapshot => ({ at, taken, process: save(process.parts) }),
            restore: (from: Snapshot) => {
              const s = from as { at: number; taken: number; process: Snapshot };
              if (s.at !== at) process = begin(s.at);
              at = s.at;
              taken = s.taken;
              restore(process.parts, s.process);
            },
          },
        },
        close: () => process.close?.(),
      };
    },
  };
}

const isRecord = (s: Snapshot): s is { readonly [name: string]: Snapshot } =>
  s !== null && Object.getPrototypeOf(s) === Object.prototype;

function weightsOf(before: Process, now: Process): void {
  if (!before.acting || !now.acting) return;
  // Parts that only the later phase has, such as a critic, keep their initial weights.
  const own = save(now.acting.weights);
  const learned = save(before.acting.weights);
  restore(now.acting.weights, isRecord(own) && isRecord(learned) ? { ...own, ...learned } : learned);
}
