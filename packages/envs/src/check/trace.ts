import type { Value } from "@reins/core";
import { defaultRng, stream } from "@reins/core/random";
import { type Frame, randomActions, type Subject } from "./subject.ts";
import { sameValue, showValue } from "./values.ts";

/** A recorded trajectory: the initial observations, then the rows' frames, step by step. */
export interface Trace {
  readonly first: readonly Value[];
  readonly steps: readonly (readonly Frame[])[];
}

/** Plays `steps` random actions; equal `actions` seeds give equal actions. */
export function play(subject: Subject, steps: number, actions: number): Frame[][] {
  const random = defaultRng(actions);
  return Array.from({ length: steps }, () => subject.step(randomActions(subject, random)));
}

/** Resets with a seed and plays. */
export function trace(subject: Subject, seed: number, steps: number): Trace {
  const first = subject.reset(seed);
  return { first, steps: play(subject, steps, stream(seed, "actions")) };
}

/** Describes where two trajectories diverge; undefined if they are equal. `step` is -1 for the initial observations. */
export function difference(a: Trace, b: Trace): { step: number; words: string } | undefined {
  if (!sameValue(a.first, b.first))
    return { step: -1, words: `first observations ${showValue(a.first)} and ${showValue(b.first)}` };
  return differenceOfSteps(a.steps, b.steps);
}

/** Describes where the steps of two trajectories diverge. */
export function differenceOfSteps(
  a: Trace["steps"],
  b: Trace["steps"],
): { step: number; words: string } | undefined {
  for (let step = 0; step < a.length; step++)
    for (let row = 0; row < a[step].length; row++)
      for (const name of ["observation", "reward", "terminated", "truncated", "next"] as const) {
        const [x, y] = [a[step][row][name], b[step][row][name]];
        if (sameValue(x, y)) continue;
        const what = name === "next" ? "initial observation of the next episode" : name;
        return { step, words: `in step ${step + 1} the ${what} was ${showValue(x)} and ${showValue(y)}` };
      }
  return undefined;
}
