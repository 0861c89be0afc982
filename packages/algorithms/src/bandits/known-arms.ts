import type { Metrics, VectorEnv } from "@reins/core";
import type { Statistics } from "@reins/core/metrics";

/** A bandit that exposes the mean reward of its arms: fixed, or per row where it depends on a context. */
interface KnownArms {
  readonly means?: ArrayLike<number>;
  mean?(row: number, arm: number): number;
}

/**
 * Regret: the sum of differences between the best arm's mean and the pulled arm's mean, without reward noise. It
 * needs an environment that exposes its means; otherwise nothing is reported.
 */
export class Regret {
  /** Cumulative, by row. */
  private readonly total: Float64Array;
  private readonly known: KnownArms;
  private readonly arms: number;
  private readonly highest: number;
  private readonly round = { regret: 0, best: 0, pulls: 0 };

  constructor(env: VectorEnv, arms: number) {
    this.known = env as KnownArms;
    this.arms = arms;
    this.total = new Float64Array(env.rows);
    this.highest = this.known.means
      ? Array.from(this.known.means).reduce((a, b) => Math.max(a, b))
      : Number.NaN;
  }

  get parts() {
    return { total: this.total };
  }

  /** Records the pull of an arm in a row. */
  note(row: number, arm: number): void {
    const { known, round } = this;
    let lost: number;
    if (known.means) lost = this.highest - known.means[arm];
    else if (known.mean) {
      let most = Number.NEGATIVE_INFINITY;
      for (let a = 0; a < this.arms; a++) most = Math.max(most, known.mean(row, a));
      lost = most - known.mean(row, arm);
    } else return;
    this.total[row] += lost;
    round.regret += lost;
    round.pulls++;
    if (lost === 0) round.best++;
  }

  /** Writes the cumulative regret (mean over rows), and the last round's regret per pull and share of optimal pulls. */
  report(metrics: Metrics, statistics: Statistics): void {
    const { round, total } = this;
    if (round.pulls === 0) return;
    let sum = 0;
    for (let row = 0; row < total.length; row++) sum += total[row];
    metrics.regret = sum / total.length;
    metrics["regret/step"] = round.regret / round.pulls;
    metrics["policy/best"] = round.best / round.pulls;
    for (const name of ["regret", "regret/step", "policy/best"]) statistics.record(name, metrics[name]);
    round.regret = round.best = round.pulls = 0;
  }
}
