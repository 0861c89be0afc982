import { tInterval } from "@reins/recipes";
import type { Journal } from "@reins/recipes/jobs";
import { type Done, type Job, jobOf, type Point } from "./job.ts";
import { type Contest, evaluation, learningRates, tuning } from "./plan.ts";

/** The result of a method at the best point of its grid. */
export interface Measured {
  readonly contest: Contest;
  readonly point: Point;
  readonly runs: readonly Done[];
}

/** All points of a method's grid. */
export const pointsOf = ({ strength }: Contest): readonly Point[] =>
  learningRates.flatMap((learningRate) => strength.values.map((s) => ({ learningRate, strength: s })));

/** The runs that choose a method's settings. */
export const trialsOf = (contest: Contest): readonly Job[] =>
  pointsOf(contest).flatMap((point) => tuning.map((seed) => jobOf(contest, point, seed)));

/** The point with the highest mean utility on the tuning seeds, once all are measured; `among` limits the learning rates. */
export function bestPoint(
  contest: Contest,
  journal: Journal<Job, Done>,
  among: readonly number[] = learningRates,
): Point | undefined {
  const points = pointsOf(contest).filter(({ learningRate }) => among.includes(learningRate));
  const scored = points.map((point) => {
    const done = tuning.flatMap((seed) => journal.find(jobOf(contest, point, seed)) ?? []);
    return { point, done, total: done.reduce((sum, { end }) => sum + end, 0) };
  });
  if (scored.some(({ done }) => done.length < tuning.length)) return undefined;
  return scored.reduce((best, one) => (one.total > best.total ? one : best)).point;
}

/** The runs that are reported, once the settings are chosen. */
export function reportedJobs(
  contest: Contest,
  journal: Journal<Job, Done>,
  among?: readonly number[],
): readonly Job[] {
  const point = bestPoint(contest, journal, among);
  return point ? evaluation.map((seed) => jobOf(contest, point, seed)) : [];
}

/** The result of a method, once all of its runs are recorded. */
export function measuredOf(
  contest: Contest,
  journal: Journal<Job, Done>,
  among?: readonly number[],
): Measured[] {
  const point = bestPoint(contest, journal, among);
  if (!point) return [];
  const runs = reportedJobs(contest, journal, among).flatMap((job) => journal.find(job) ?? []);
  return runs.length === evaluation.length ? [{ contest, point, runs }] : [];
}

const gainsOf = ({ runs }: Measured): number[] => runs.map(({ start, end }) => end - start);

/** Whether the 95% interval of a method's gain is above, below or around 0. */
export function verdictOf(measured: Measured): "above" | "below" | "not distinguishable" {
  const { low, high } = tInterval(gainsOf(measured));
  return low > 0 ? "above" : high < 0 ? "below" : "not distinguishable";
}

/** Methods whose gain is not above 0: they are measured with the lowest learning rate, too. */
export const uncertain = (wanted: readonly Contest[], journal: Journal<Job, Done>): readonly Contest[] =>
  wanted.filter((contest) => measuredOf(contest, journal).some((one) => verdictOf(one) !== "above"));

/** The learning rates of that second measurement. */
export const lowest: readonly number[] = learningRates.slice(0, 1);
