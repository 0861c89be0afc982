import {
  type Context,
  fail,
  type Given,
  goalHindsight,
  type Live,
  nStep,
  type ReplayRecord,
} from "@reins/core";
import type { hindsight } from "../options.ts";

/** What the method is told about what it remembers. */
export type RecordOptions = Given<typeof hindsight> & { readonly gamma: Live; readonly nStep: number };

/** What the method of this name remembers of steps: transitions over some of them, or over one with other goals in hindsight. */
export function recordOf(
  name: string,
  { hindsight, hindsightGoals: strategy, gamma, nStep: steps }: RecordOptions,
  { spec, seed }: Pick<Context, "spec" | "seed">,
): ReplayRecord {
  if (hindsight === 0) return nStep({ steps, gamma });
  if (steps > 1)
    fail(
      name,
      `hindsight gives single steps other goals, and nStep is ${steps}. Set nStep to 1, or hindsight to 0.`,
    );
  return goalHindsight(name, spec, { relabels: hindsight, strategy, gamma, seed });
}
