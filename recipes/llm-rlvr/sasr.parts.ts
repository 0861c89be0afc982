import type { Task } from "@reins/core";
import { defaultRng, stream } from "@reins/core/random";
import { imitationParts, tracedGrpo } from "../shared/traces.ts";

/** Probability of a supervised step: the latest gradient norm of one, over its sum with that at the end of the warm-up. */
export const supervisedShare = (norm: number, warm: number, gamma = 1): number =>
  norm / (norm + gamma * warm);

/** Batches of traces only: first for the warm-up, then at random with a probability that depends on their gradient norms, or is fixed. */
export function stepwise(
  given: Task,
  { warmup = 8, fixed }: { warmup?: number; fixed?: number },
  seed: number,
): Task {
  const random = defaultRng(stream(seed, "sasr"));
  let [batch, supervised, norm, warm] = [0, false, 0, 0];
  return {
    next(statistics) {
      if (supervised) norm = statistics.get("gradient/norm")?.last ?? norm;
      if (batch === warmup) warm = norm;
      supervised = batch < warmup || random.random() < (fixed ?? supervisedShare(norm, warm));
      batch++;
      const problems = given.next(statistics);
      return supervised ? problems.map((p) => ({ ...p, groupSize: 0, teachers: 1 })) : problems;
    },
    observe: (judged) => given.observe?.(judged),
  };
}

/** Supervised steps on traces and steps of GRPO. */
export const sasr = (o: { warmup?: number; fixed?: number }) =>
  tracedGrpo("sasr", (task, settings, _, { seed }) => ({
    task: stepwise(task, o, seed),
    ...imitationParts(1, settings),
  }));
