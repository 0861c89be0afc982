import { fitGaussianMixture, type MixtureComponent, sampleComponent } from "@reins/core/evaluations";
import type { Generator } from "@reins/core/random";

/** Chooses exercises, points of the unit cube, and learns from their rewards. */
export interface Teacher {
  next(): number[];
  told(point: readonly number[], reward: number): void;
}

/** Settings of Gaussian-mixture teachers. */
export interface MixtureTeacherOptions {
  readonly dimensions: number;
  readonly random: Generator;
  /** Exercises between fits, and in the window of a fit. */
  readonly window?: number;
  /** Candidate numbers of mixture components; the best by Akaike's criterion is used. */
  readonly parts?: readonly number[];
  /** Probability of a uniform random exercise. */
  readonly anywhere?: number;
}

/** Uniform random exercises. */
export function randomTeacher({ dimensions, random }: MixtureTeacherOptions): Teacher {
  return { next: () => anywhere(dimensions, random), told: () => {} };
}

/**
 * ALP-GMM (Portelas et al., 2019): fits a mixture to recent exercises and their absolute learning progress, the
 * difference of the reward from that of the nearest earlier exercise, and samples a component in proportion to its
 * progress.
 */
export function alpGmm(options: MixtureTeacherOptions): Teacher {
  const past: { readonly point: readonly number[]; readonly reward: number }[] = [];
  return mixtureTeacher(options, {
    row(point, reward) {
      let [nearest, least] = [0, Number.POSITIVE_INFINITY];
      for (const p of past) {
        let distance = 0;
        for (let i = 0; i < point.length; i++) distance += (p.point[i] - point[i]) ** 2;
        // Of equally near exercises the latest is used.
        if (distance <= least) [nearest, least] = [p.reward, distance];
      }
      const progress = past.length ? Math.abs(reward - nearest) : 0;
      past.push({ point, reward });
      return [...point, progress];
    },
    interest: ({ mean }) => Math.max(0, mean[mean.length - 1]),
  });
}

/**
 * Covar-GMM (Moulin-Frier et al., 2014): fits exercises together with time and reward, and prefers components in
 * which the reward rises with time.
 */
export function covarGmm(options: MixtureTeacherOptions): Teacher {
  const { window = 250 } = options;
  let time = 0;
  return mixtureTeacher(options, {
    row: (point, reward) => [...point, (time++ % window) / window, reward],
    interest: ({ covariance }) => Math.max(0, covariance[covariance.length - 1][covariance.length - 2]),
  });
}

interface Rows {
  /** The fitted vector of an exercise, starting with its point. */
  row(point: readonly number[], reward: number): number[];
  /** Sampling weight of a component. */
  interest(part: MixtureComponent): number;
}

function mixtureTeacher(options: MixtureTeacherOptions, { row, interest }: Rows): Teacher {
  const { dimensions, random, window = 250, parts = [2, 4, 6], anywhere: share = 0.2 } = options;
  let recent: number[][] = [];
  let fitted: readonly MixtureComponent[] = [];
  let chances: number[] = [];
  return {
    next() {
      if (fitted.length === 0 || random.random() < share) return anywhere(dimensions, random);
      const total = chances.reduce((a, b) => a + b, 0);
      const part =
        fitted[
          random.choice(
            fitted.length,
            chances.map((c) => (total > 0 ? c / total : 1 / fitted.length)),
          )
        ];
      return sampleComponent(part, dimensions, random).map((x) => Math.min(1, Math.max(0, x)));
    },
    told(point, reward) {
      recent.push(row(point, reward));
      if (recent.length < window) return;
      const all = parts.map((k) => fitGaussianMixture(recent, k, random));
      fitted = all.reduce((a, b) => (b.criterion < a.criterion ? b : a)).parts;
      chances = fitted.map(interest);
      recent = [];
    },
  };
}

const anywhere = (dimensions: number, random: Generator) =>
  Array.from({ length: dimensions }, () => random.random());
