/** Robust statistics for few runs on several tasks (Agarwal et al., 2021). */

/** Scores of a method: one per seed, for each task. */
export type Scores = readonly (readonly number[])[];

/** The interquartile mean; scores at the quartiles are weighted by their share. */
export function interquartileMean(scores: Scores): number {
  const all = scores.flat().sort((a, b) => a - b);
  const [low, high] = [all.length / 4, (3 * all.length) / 4];
  let [sum, weight] = [0, 0];
  all.forEach((x, i) => {
    const share = Math.max(0, Math.min(i + 1, high) - Math.max(i, low));
    sum += share * x;
    weight += share;
  });
  return sum / weight;
}

/** The share of scores above each level. */
export const profile = (scores: Scores, levels: readonly number[]): number[] => {
  const all = scores.flat();
  return levels.map((level) => all.filter((x) => x > level).length / all.length);
};

/** A seeded random number generator (mulberry32). */
export function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** The stratified bootstrap 95% interval of a statistic: seeds are resampled within each task. */
export function bootstrap(
  scores: Scores,
  statistic: (drawn: Scores) => number,
  draws = 2000,
): [number, number] {
  const random = generator(1);
  const found: number[] = [];
  for (let i = 0; i < draws; i++)
    found.push(statistic(scores.map((task) => task.map(() => task[Math.floor(random() * task.length)]))));
  found.sort((a, b) => a - b);
  const at = (q: number) => found[Math.min(draws - 1, Math.max(0, Math.round(q * (draws - 1))))];
  return [at(0.025), at(0.975)];
}
