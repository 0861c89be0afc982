import { sampleSettings } from "./random.ts";
import { nextMissing, piecesOf, rank, type Search, type SearchPlan, scoredTrials } from "./search.ts";

/** One of this many trials is promoted. */
const reduction = 3;
/** Maximum number of rungs: the first has a 27th of the steps. */
const most = 4;

/** Steps at which trials are compared; the last is the whole training. */
export function rungsOf({ steps, trials }: SearchPlan): number[] {
  const count = Math.max(1, Math.min(most, 1 + Math.floor(Math.log(trials) / Math.log(reduction))));
  return Array.from({ length: count }, (_, i) => Math.round(steps / reduction ** (count - 1 - i)));
}

/**
 * Asynchronous successive halving (Li et al., 2020): many trials are trained for a few steps, and the best third are promoted to three times as
 * many, without waiting for all trials of a rung.
 */
export const halving: Search = (plan, results, running) => {
  const rungs = rungsOf(plan);
  const done = scoredTrials(plan, results);
  const at = (rung: number) => done.filter((s) => s.rung === rung);
  // Highest rung first.
  for (let rung = rungs.length - 1; rung > 0; rung--) {
    const below = at(rung - 1);
    for (const { trial, settings, score } of rank(below).slice(0, Math.floor(below.length / reduction))) {
      if (!Number.isFinite(score)) continue;
      const piece = nextMissing(piecesOf(plan, trial, settings, rung, rungs[rung]), results, running);
      if (piece) return piece;
    }
  }
  for (let trial = 0; trial < plan.trials; trial++) {
    const piece = nextMissing(
      piecesOf(plan, trial, sampleSettings(plan, trial), 0, rungs[0]),
      results,
      running,
    );
    if (piece) return piece;
  }
  return running.length ? "wait" : "done";
};
