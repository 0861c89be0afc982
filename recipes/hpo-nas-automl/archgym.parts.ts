import type { Generator } from "@reins/core/random";
import { real } from "@reins/tensor";

/** Levels of the ten knobs of a memory controller: policies, sizes of buffers and queues, refresh, arbitration. */
export const levels = [4, 3, 3, 8, 2, 2, 8, 8, 3, 16] as const;

/** A level for each knob. */
export type Design = Int32Array;

/** A workload: how far, as a share of the targets, power and latency of a design are from their targets. */
export type Workload = (design: Design) => number;

/**
 * Power and latency are exponentials of effects of the knobs and of pairs of neighbouring knobs. The targets are the power and the latency of
 * a random design, so that they can be met.
 */
export function randomWorkload(random: Generator): Workload {
  const effects = () => ({
    own: levels.map((n) => Float64Array.from({ length: n }, () => random.normal(0, 0.25))),
    pair: levels.map((n, i) =>
      Float64Array.from({ length: n * levels[(i + 1) % levels.length] }, () => random.normal(0, 0.15)),
    ),
  });
  const quantities = [effects(), effects()].map(({ own, pair }) => (design: Design) => {
    let sum = 0;
    for (let i = 0; i < levels.length; i++) {
      const j = (i + 1) % levels.length;
      sum += own[i][design[i]] + pair[i][design[i] * levels[j] + design[j]];
    }
    return real.exp(sum);
  });
  const hidden = randomDesign(random);
  const targets = quantities.map((q) => q(hidden));
  return (design) => quantities.reduce((sum, q, i) => sum + Math.abs(q(design) - targets[i]) / targets[i], 0);
}

export const randomDesign = (random: Generator): Design => Int32Array.from(levels, (n) => random.integers(n));

/** Asks for designs in batches, and is told how far each is from the targets. */
export interface Search {
  ask(): Design[];
  tell(designs: readonly Design[], misses: readonly number[]): void;
}

/** Redraws each knob with this probability, and starts anew with another one. It does not learn. */
export function randomWalk({ rate, restart }: { rate: number; restart: number }, random: Generator): Search {
  let at = randomDesign(random);
  return {
    ask() {
      at = random.chance(restart)
        ? randomDesign(random)
        : at.map((level, i) => (random.chance(rate) ? random.integers(levels[i]) : level));
      return [at];
    },
    tell() {},
  };
}

const order = (misses: readonly number[]): number[] =>
  misses.map((_, i) => i).sort((a, b) => misses[a] - misses[b]);

/** A genetic search: tournaments of three, uniform crossover, mutation of each knob, and the best design survives. */
export function genetic(
  { population, mutation }: { population: number; mutation: number },
  random: Generator,
): Search {
  let next = Array.from({ length: population }, () => randomDesign(random));
  return {
    ask: () => next,
    tell(designs, misses) {
      const parent = () => {
        let best = random.integers(designs.length);
        for (let k = 0; k < 2; k++) {
          const other = random.integers(designs.length);
          if (misses[other] < misses[best]) best = other;
        }
        return designs[best];
      };
      const elite = designs[order(misses)[0]];
      next = Array.from({ length: population }, (_, n) => {
        if (n === 0) return elite;
        const [one, other] = [parent(), parent()];
        return one.map((level, i) =>
          random.chance(mutation) ? random.integers(levels[i]) : random.chance(0.5) ? level : other[i],
        );
      });
    },
  };
}

const sample = (weights: readonly Float64Array[], random: Generator): Design =>
  Int32Array.from(weights, (w) => {
    let u = random.random() * w.reduce((a, b) => a + b);
    for (let level = 0; level < w.length - 1; level++) if ((u -= w[level]) < 0) return level;
    return w.length - 1;
  });

/** Ant colony: levels are drawn in proportion to their pheromone, which evaporates and which the best ant of a round renews. */
export function ants(
  { ants: count, evaporation }: { ants: number; evaporation: number },
  random: Generator,
): Search {
  const pheromone = levels.map((n) => new Float64Array(n).fill(1 / n));
  return {
    ask: () => Array.from({ length: count }, () => sample(pheromone, random)),
    tell(designs, misses) {
      const best = designs[order(misses)[0]];
      pheromone.forEach((p, i) => {
        for (let level = 0; level < p.length; level++)
          p[level] = Math.max(0.01 / p.length, (1 - evaporation) * p[level]);
        p[best[i]] += evaporation;
      });
    },
  };
}

/** REINFORCE: a softmax for each knob; the return of a design is minus the logarithm of its miss, normalised over the batch. */
export function reinforce(
  { batch, learningRate }: { batch: number; learningRate: number },
  random: Generator,
): Search {
  const logits = levels.map((n) => new Float64Array(n));
  const softmax = () =>
    logits.map((row) => {
      const most = row.reduce((a, b) => Math.max(a, b));
      const weights = row.map((x) => real.exp(x - most));
      const sum = weights.reduce((a, b) => a + b);
      return weights.map((w) => w / sum);
    });
  return {
    ask: () => {
      const policy = softmax();
      return Array.from({ length: batch }, () => sample(policy, random));
    },
    tell(designs, misses) {
      const returns = misses.map((m) => -real.log(m + 1e-3));
      const mean = returns.reduce((a, b) => a + b) / returns.length;
      const deviation =
        Math.sqrt(returns.reduce((sum, r) => sum + (r - mean) ** 2, 0) / returns.length) + 1e-6;
      const policy = softmax();
      designs.forEach((design, n) => {
        const step = (learningRate * (returns[n] - mean)) / (deviation * designs.length);
        logits.forEach((row, i) => {
          for (let level = 0; level < row.length; level++)
            row[level] += step * (Number(design[i] === level) - policy[i][level]);
        });
      });
    },
  };
}
