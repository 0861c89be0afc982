import type { Generator } from "@reins/core";

/** Settings of {@link regularisedEvolution}. */
export interface EvolutionOptions<T> {
  /** Where the search begins. */
  readonly first: readonly T[];
  readonly population: number;
  /** Individuals drawn at a time; the best of them has a child. More is greedier. */
  readonly tournament: number;
  /** Individuals that are scored in all. Equivalents of known ones cost nothing. */
  readonly scores: number;
  readonly random: Generator;
  mutate(parent: T, random: Generator): T;
  /** The same for individuals that are equivalent: they are scored once. Undefined for those that cannot be any good. */
  key(individual: T): string | undefined;
  /** Higher is better. */
  score(individual: T): number;
}

/** An individual that was scored. */
export interface Individual<T> {
  readonly individual: T;
  readonly score: number;
}

/** Mutants for each individual that may be scored; a search that finds nothing new any more ends there. */
const patience = 100;

/**
 * Evolution with ageing: a child of a tournament's winner takes the place of the oldest, not of the worst, so that nobody stays by one
 * lucky score; what is good stays by having equivalent children. Real et al., "Regularized Evolution for Image Classifier
 * Architecture Search" (2019). Gives all that were scored, best first.
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
