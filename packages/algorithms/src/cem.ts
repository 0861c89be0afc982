import { define, setting, size } from "@reins/core";
import type { Generator } from "@reins/core/random";
import * as signals from "@reins/core/signals";
import { comparable, searching } from "./search/options.ts";
import { population } from "./search/population.ts";
import { fromBest, type Moves, meanOf, type Strategy } from "./search/strategy.ts";

const options = {
  elite: setting(
    0.2,
    "Fraction of elite members that the next generation is sampled around. Lower is greedier and narrows sooner (0.1 to 0.5).",
    { within: "share" },
  ),
  noise: setting(
    signals.linear(0.25, 0, 0.8),
    "Added to the variance of every weight, against premature convergence. Higher searches longer (1 falling to 0).",
    { within: "nonnegative" },
  ),
  sigma: size(1, "Initial standard deviation of each weight. Higher searches further away (0.1 to 10).", {
    within: "positive",
  }),
  ...searching({ population: 40, hidden: [], normalise: false }),
};

/** Settings of {@link crossEntropy}. */
export interface CrossEntropyOptions {
  /** Fraction of elite members. */
  readonly elite: Moves;
  /** Added to the variance of every weight. */
  readonly noise: Moves;
  /** Initial standard deviation of each weight. */
  readonly sigma: number;
}

/** The cross-entropy method on a vector: repeatedly fits a diagonal normal distribution to the elite members. */
export function crossEntropy(start: Float64Array, o: CrossEntropyOptions, random: Generator): Strategy {
  const centre = start.slice();
  const variance = new Float64Array(start.length).fill(o.sigma ** 2);
  let tried: readonly Float64Array[] = [];
  return {
    centre,
    get spread() {
      return Math.sqrt(meanOf(variance));
    },
    ask(members) {
      tried = members;
      for (const member of members)
        for (let k = 0; k < centre.length; k++)
          member[k] = centre[k] + Math.sqrt(variance[k]) * random.normal();
    },
    tell(returns) {
      const count = Math.max(1, Math.round(o.elite.value * returns.length));
      const best = fromBest(returns).slice(0, count);
      for (let k = 0; k < centre.length; k++) {
        const values = best.map((i) => tried[i][k]);
        const mean = meanOf(values);
        centre[k] = mean;
        variance[k] = meanOf(values.map((x) => (x - mean) ** 2)) + o.noise.value;
      }
    },
    parts: { centre, variance, random },
  };
}

/**
 * The cross-entropy method over the weights of a policy, with noise against premature convergence (Szita and
 * Lőrincz, 2006).
 */
export const cem = define({
  name: "cem",
  summary:
    "Samples policies, keeps the best and samples around them: no gradients, for policies with few weights.",
  paper: "Learning Tetris Using the Noisy Cross-Entropy Method (Szita and Lőrincz, 2006)",
  options,
  requires: comparable(),
  start: (o, context, name) =>
    population({ ...o, name, strategy: (start, random) => crossEntropy(start, o, random) }, context),
});
