import type { Generator } from "@reins/core";

/** Settings of {@link regularisedEvolution}. */
export interface EvolutionOptions<T> {
  /** Where the search begins; the first population is these and their mutants. */
  readonly first: readonly T[];
  readonly population: number;
  /** Individuals drawn at a time; the best of them has a child. More is greedier. */
  readonly tournament: number;
  /** Children in all. */
  readonly children: number;
  readonly random: Generator;
  mutate(parent: T, random: Generator): T;
  /** The same for individuals that are equivalent: they are scored once. Undefined for those that cannot be any good. */
  key(individual: T): string | undefined;
  /** Higher is better. */
  score(individual: T): number;
}

/** An individual that was scored. */
export interface Scored<T> {
  readonly individual: T;
  readonly score: number;
}

/** Mutants of one parent that may turn out hopeless or known before one is taken as it is. */
const patience = 100;

/**
 * Evolution with ageing: a child of a tournament's winner takes the place of the oldest, not of the worst, so that nobody stays by one
 * lucky score. Real et al., "Regularized Evolution for Image Classifier Architecture Search" (2019). Gives all that were scored, best first.
 */
export function regularisedEvolution<T>(options: EvolutionOptions<T>): Scored<T>[] {
  const { first, population, tournament, children, random, mutate, key, score } = options;
  const known = new Map<string, Scored<T>>();
  const judged = (individual: T, name: string): Scored<T> => {
    const found = known.get(name) ?? { individual, score: score(individual) };
    known.set(name, found);
    return found;
  };
  /** A mutant that can be good, preferably one that was not seen before. */
  const child = (parent: T): Scored<T> => {
    let fallback: Scored<T> | undefined;
    for (let attempt = 0; attempt < patience; attempt++) {
      const mutant = mutate(parent, random);
      const name = key(mutant);
      if (name === undefined) continue;
      const seen = known.get(name);
      if (!seen) return judged(mutant, name);
      fallback ??= seen;
    }
    return fallback ?? judged(parent, key(parent)!);
  };

  let living = first.map((individual) => judged(individual, key(individual)!));
  while (living.length < population) living.push(child(first[living.length % first.length]));
  for (let i = 0; i < children; i++) {
    const drawn = Array.from({ length: tournament }, () => living[random.integers(living.length)]);
    const winner = drawn.reduce((best, one) => (one.score > best.score ? one : best));
    living = [...living.slice(1), child(winner.individual)];
  }
  return [...known.values()].sort((a, b) => b.score - a.score);
}
