import type { Generator } from "@reins/core/random";

/** Expected rewards of a contextual bandit by context and arm; contexts are equally likely and rewards are 0 or 1. */
export type ContextualBandit = readonly Float64Array[];

/** Number of pulls and sum of rewards of each arm in a context. */
export interface ArmCounts {
  readonly pulls: Float64Array;
  readonly sums: Float64Array;
}

/** A bandit with expected rewards that are uniform from 0 to 1. */
export const randomBandit = (random: Generator, contexts: number, arms: number): ContextualBandit =>
  Array.from({ length: contexts }, () => random.fillRandom(new Float64Array(arms)));

/** The arm with the highest index; the first of equals. */
export const argmax = (values: ArrayLike<number>): number => {
  let best = 0;
  for (let a = 1; a < values.length; a++) if (values[a] > values[best]) best = a;
  return best;
};

/** Shares of logged data: the best arm with probability `expert`, one arm of each context with `habit`, otherwise any. */
export interface Behaviour {
  readonly expert: number;
  readonly habit: number;
}

/** Samples of a behaviour policy, counted. */
export function logData(
  bandit: ContextualBandit,
  samples: number,
  { expert, habit }: Behaviour,
  random: Generator,
): ArmCounts[] {
  const data = bandit.map((m) => ({ pulls: new Float64Array(m.length), sums: new Float64Array(m.length) }));
  const [best, usual] = [bandit.map(argmax), bandit.map((m) => random.integers(m.length))];
  for (let i = 0; i < samples; i++) {
    const x = random.integers(bandit.length);
    const u = random.random();
    const any = random.integers(bandit[x].length);
    const a = u < expert ? best[x] : u < expert + habit ? usual[x] : any;
    data[x].pulls[a]++;
    if (random.chance(bandit[x][a])) data[x].sums[a]++;
  }
  return data;
}

/** LCB: the mean reward minus `scale` √(log / n). An arm without data is never chosen. */
export const lowerBounds = ({ pulls, sums }: ArmCounts, scale: number, log: number): Float64Array =>
  pulls.map((n, a) => (n === 0 ? Number.NEGATIVE_INFINITY : sums[a] / n - scale * Math.sqrt(log / n)));

/** The exact loss of a policy: the mean over contexts of the best expected reward minus that of its arm. */
export const suboptimality = (bandit: ContextualBandit, policy: readonly number[]): number =>
  bandit.reduce((sum, means, x) => sum + means[argmax(means)] - means[policy[x]], 0) / bandit.length;
