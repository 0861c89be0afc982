import { defaultRng, stream } from "@reins/core";
import { missing, type Plan, piecesOf, type Search } from "./search.ts";
import { type Settings, settingsAt } from "./space.ts";

/** The settings of a trial that is drawn: by its number alone, so that it is the same whenever it is asked for. */
export function drawn({ space, seed }: Plan, trial: number): Settings {
  const random = defaultRng(stream(seed, "trial", trial));
  return settingsAt(
    space,
    space.map(() => random.random()),
  );
}

/** Random search (Bergstra and Bengio, 2012): each trial is drawn by itself and trained to the end. */
export const randomSearch: Search = (plan, told, running) => {
  const all = Array.from({ length: plan.trials }, (_, trial) =>
    piecesOf(plan, trial, drawn(plan, trial), 0, plan.steps),
  ).flat();
  return missing(all, told, running) ?? (running.length ? "wait" : "done");
};
