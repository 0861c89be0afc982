import { drawn } from "./random.ts";
import { missing, type Plan, piecesOf, ranked, type Search, scored } from "./search.ts";

/** Of so many trials one goes on. */
const share = 3;
/** Rungs at most: the first has a 27th of the steps. */
const most = 4;

/** Steps at which trials are compared, the last of them all. */
export function rungsOf({ steps, trials }: Plan): number[] {
  const count = Math.max(1, Math.min(most, 1 + Math.floor(Math.log(trials) / Math.log(share))));
  return Array.from({ length: count }, (_, i) => Math.round(steps / share ** (count - 1 - i)));
}

/**
 * Asynchronous successive halving (Li et al., 2020): many trials are trained for a few steps, and whoever is then in the best third goes on for
 * three times as many; nobody waits until all have come as far.
 */
export const halving: Search = (plan, told, running) => {
  const rungs = rungsOf(plan);
  const done = scored(plan, told);
  const at = (rung: number) => done.filter((s) => s.rung === rung);
  // The furthest first: what is nearly done says most.
  for (let rung = rungs.length - 1; rung > 0; rung--) {
    const below = at(rung - 1);
    for (const { trial, settings, score } of ranked(below).slice(0, Math.floor(below.length / share))) {
      if (!Number.isFinite(score)) continue;
      const piece = missing(piecesOf(plan, trial, settings, rung, rungs[rung]), told, running);
      if (piece) return piece;
    }
  }
  for (let trial = 0; trial < plan.trials; trial++) {
    const piece = missing(piecesOf(plan, trial, drawn(plan, trial), 0, rungs[0]), told, running);
    if (piece) return piece;
  }
  return running.length ? "wait" : "done";
};
