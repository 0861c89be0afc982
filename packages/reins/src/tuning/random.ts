import { defaultRng, stream } from "@reins/core/random";
import { nextMissing, piecesOf, type Search, type SearchPlan } from "./search.ts";
import { type Settings, settingsAt } from "./space.ts";

/** Random settings of a trial, determined by its number. */
export function sampleSettings({ space, seed }: SearchPlan, trial: number): Settings {
  const random = defaultRng(stream(seed, "trial", trial));
  return settingsAt(
    space,
    space.map(() => random.random()),
  );
}

/** Random search (Bergstra and Bengio, 2012): each trial is sampled independently and trained to the end. */
export const randomSearch: Search = (plan, results, running) => {
  const all = Array.from({ length: plan.trials }, (_, trial) =>
    piecesOf(plan, trial, sampleSettings(plan, trial), 0, plan.steps),
  ).flat();
  return nextMissing(all, results, running) ?? (running.length ? "wait" : "done");
};
