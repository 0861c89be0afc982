import { defaultRng, fitGaussianProcess, normalProbability, stream } from "@reins/core";
import { drawn } from "./random.ts";
import { missing, type Plan, piecesOf, type Search, scored, type Told } from "./search.ts";
import { placesOf, type Settings, settingsAt } from "./space.ts";

/** Candidates among which the most promising one is taken. */
const candidates = { anywhere: 512, nearby: 128 };

/**
 * A search by a Gaussian process (Snoek et al., 2012): after some trials that are drawn, each is where the expected improvement over the best one is
 * largest. Trials that are under way count as if they had come out as expected, so that several are not sent to the same place.
 */
export const gaussian: Search = (plan, told, running) => {
  const known = new Map<number, Settings>();
  for (const { trial, settings } of [...told.map((t) => t.piece), ...running]) known.set(trial, settings);
  for (const [trial, settings] of known) {
    const piece = missing(piecesOf(plan, trial, settings, 0, plan.steps), told, running);
    if (piece) return piece;
  }
  const trial = known.size;
  if (trial >= plan.trials) return running.length ? "wait" : "done";
  const settings = trial < atFirst(plan) ? drawn(plan, trial) : proposed(plan, trial, told, known);
  return piecesOf(plan, trial, settings, 0, plan.steps)[0];
};

/** Trials that are drawn before anything is believed. */
const atFirst = ({ space, trials }: Plan) => Math.min(Math.ceil(trials / 2), 3 + 2 * space.length);

function proposed(
  plan: Plan,
  trial: number,
  told: readonly Told[],
  known: ReadonlyMap<number, Settings>,
): Settings {
  const { space, seed } = plan;
  const done = scored(plan, told);
  const finite = done.filter((s) => Number.isFinite(s.score));
  if (finite.length < 2) return drawn(plan, trial);
  // What failed is as bad as the worst that did not.
  const worst = Math.min(...finite.map((s) => s.score));
  const points = done.map((s) => placesOf(space, s.settings));
  const values = done.map((s) => Math.max(worst, s.score));
  const belief = fitGaussianProcess(points, values);
  const pending = [...known]
    .filter(([t]) => !done.some((s) => s.trial === t))
    .map(([, s]) => placesOf(space, s));
  const both = pending.length
    ? fitGaussianProcess([...points, ...pending], [...values, ...pending.map((p) => belief.at(p).mean)])
    : belief;
  const best = Math.max(...values);
  const top = points[values.indexOf(best)];
  const random = defaultRng(stream(seed, "proposal", trial));
  const somewhere = Array.from({ length: candidates.anywhere }, () => space.map(() => random.random()));
  const nearby = Array.from({ length: candidates.nearby }, () =>
    top.map((x) => Math.min(1, Math.max(0, x + 0.2 * (random.random() - 0.5)))),
  );
  const promise = (p: readonly number[]) => {
    const { mean, deviation } = both.at(p);
    return expectedImprovement(mean - best, deviation);
  };
  const ranking = [...somewhere, ...nearby].map((p) => ({ p, promise: promise(p) }));
  return settingsAt(space, ranking.reduce((a, b) => (b.promise > a.promise ? b : a)).p);
}

/** E[max(0, x)] of a normal number. */
export function expectedImprovement(mean: number, deviation: number): number {
  const z = mean / deviation;
  const density = Math.exp(-0.5 * z * z) / Math.sqrt(2 * Math.PI);
  return mean * normalProbability(z) + deviation * density;
}
