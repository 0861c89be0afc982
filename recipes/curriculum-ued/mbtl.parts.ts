import { fitGaussianProcess } from "reins/tuning";

/** A training task, and the values of its policy in every task. */
export interface TransferSource {
  readonly task: number;
  readonly scores: readonly number[];
}

/** Settings of {@link transferChoice}. */
export interface TransferOptions {
  /** Position of each task, from 0 to 1. */
  readonly places: readonly number[];
  readonly trained: readonly TransferSource[];
  /** Width of the upper confidence bound in standard deviations. */
  readonly optimism?: number;
}

/**
 * The next training task that maximises the mean over tasks of the best policy's value: Model-Based Transfer
 * Learning (Cho et al., 2024). Training performance is modelled by a Gaussian process over tasks, and a policy
 * loses value in proportion to the distance between tasks, by a slope fitted to the policies so far. The first is
 * the task nearest the middle.
 */
export function transferChoice({ places, trained, optimism = 1 }: TransferOptions): number {
  const known = new Set(trained.map((t) => t.task));
  const open = places.map((_, i) => i).filter((i) => !known.has(i));
  const distance = (i: number, j: number) => Math.abs(places[i] - places[j]);
  const middle = (i: number) => -Math.abs(places[i] - 0.5);
  if (trained.length === 0) return highest(open, middle);
  const belief = fitGaussianProcess(
    trained.map((t) => [places[t.task]]),
    trained.map((t) => t.scores[t.task]),
  );
  let [products, squares] = [0, 0];
  for (const { task, scores } of trained)
    for (let j = 0; j < places.length; j++) {
      products += Math.max(0, scores[task] - scores[j]) * distance(task, j);
      squares += distance(task, j) ** 2;
    }
  const slope = products / squares;
  const covered = places.map((_, j) => Math.max(...trained.map((t) => t.scores[j])));
  return highest(open, (i) => {
    const { mean, deviation } = belief.at([places[i]]);
    return covered.reduce(
      (sum, c, j) => sum + Math.max(0, mean + optimism * deviation - slope * distance(i, j) - c),
      0,
    );
  });
}

/** The first of the highest-rated entries. */
const highest = (of: readonly number[], rate: (i: number) => number): number =>
  of.map((i) => ({ i, rating: rate(i) })).reduce((a, b) => (b.rating > a.rating ? b : a)).i;
