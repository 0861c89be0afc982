import { normalProbability } from "@reins/core/evaluations";
import { defaultRng, stream } from "@reins/core/random";
import { fitGaussianProcess } from "./gaussian-process.ts";
import { sampleSettings } from "./random.ts";
import {
  nextMissing,
  type PieceResult,
  piecesOf,
  type Search,
  type SearchPlan,
  scoredTrials,
} from "./search.ts";
import { placesOf, type Settings, settingsAt } from "./space.ts";

/** Number of candidates for the acquisition function. */
const candidates = { anywhere: 512, nearby: 128 };

/**
 * Bayesian optimisation with a Gaussian process (Snoek et al., 2012): after some random trials, each trial maximises the expected improvement
 * over the best. Running trials count with their predicted score, so that parallel trials do not choose the same settings.
 */
export const gaussian: Search = (plan, results, running) => {
  const known = new Map<number, Settings>();
  for (const { trial, settings } of [...results.map((t) => t.piece), ...running]) known.set(trial, settings);
  for (const [trial, settings] of known) {
    const piece = nextMissing(piecesOf(plan, trial, settings, 0, plan.steps), results, running);
    if (piece) return piece;
  }
  const trial = known.size;
  if (trial >= plan.trials) return running.length ? "wait" : "done";
  const settings =
    trial < randomTrials(plan) ? sampleSettings(plan, trial) : propose(plan, trial, results, known);
  return piecesOf(plan, trial, settings, 0, plan.steps)[0];
};

/** Number of random trials before the first fit. */
const randomTrials = ({ space, trials }: SearchPlan) => Math.min(Math.ceil(trials / 2), 3 + 2 * space.length);

function propose(
  plan: SearchPlan,
  trial: number,
  results: readonly PieceResult[],
  known: ReadonlyMap<number, Settings>,
): Settings {
  const { space, seed } = plan;
  const done = scoredTrials(plan, results);
  const finite = done.filter((s) => Number.isFinite(s.score));
  if (finite.length < 2) return sampleSettings(plan, trial);
  // Failed trials get the worst score of the others.
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

/** E[max(0, x)] of a normal variable. */
export function expectedImprovement(mean: number, deviation: number): number {
  const z = mean / deviation;
  const density = Math.exp(-0.5 * z * z) / Math.sqrt(2 * Math.PI);
  return mean * normalProbability(z) + deviation * density;
}
