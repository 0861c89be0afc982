import type { Generator } from "@reins/core/random";

/**
 * Settings of {@link regularisedEvolution}.
 *
 * @experimental
 */
export interface EvolutionOptions<T> {
  /** Initial individual. */
  readonly first: readonly T[];
  readonly population: number;
  /** Tournament size; the best of them has a child. More is greedier. */
  readonly tournament: number;
  /** Individuals scored in total. Equivalents of known ones cost nothing. */
  readonly scores: number;
  readonly random: Generator;
  mutate(parent: T, random: Generator): T;
  /** Key shared by equivalent individuals, which are scored once. Undefined for invalid individuals. */
  key(individual: T): string | undefined;
  /** Higher is better. */
  score(individual: T): number;
}

/**
 * A scored individual.
 *
 * @experimental
 */
export interface Individual<T> {
  readonly individual: T;
  readonly score: number;
}

/** Mutants per scored individual; the search stops at this limit when it finds nothing new. */
const patience = 100;

/**
 * Regularised evolution: a child of the tournament winner replaces the oldest individual, not the worst, so no
 * individual survives by one lucky score; good ones survive through equivalent children. Real et al., "Regularized
 * Evolution for Image Classifier Architecture Search" (2019). Returns all scored individuals, best first.
 *
 * @experimental
 */
export function regularisedEvolution<T>(options: EvolutionOptions<T>): Individual<T>[] {
  const { first, population, tournament, scores, random, mutate, key, score } = options;
  const known = new Map<string, Individual<T>>();
  let living: Individual<T>[] = [];
  const join = (individual: T) => {
    const name = key(individual);
    if (name === undefined) return;
    const found = known.get(name)?.score ?? score(individual);
    if (!known.has(name)) known.set(name, { individual, score: found });
    living = [...living.slice(living.length < population ? 0 : 1), { individual, score: found }];
  };
  first.forEach(join);
  for (let i = 0; known.size < scores && i < patience * scores; i++) {
    const drawn = Array.from({ length: tournament }, () => living[random.integers(living.length)]);
    const winner = drawn.reduce((best, one) => (one.score > best.score ? one : best));
    join(mutate(winner.individual, random));
  }
  return [...known.values()].sort((a, b) => b.score - a.score);
}
