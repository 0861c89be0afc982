import { define, type Generator, setting, signals, size } from "@reins/core";
import { comparable, searching } from "./search/options.ts";
import { population } from "./search/population.ts";
import { fromBest, type Moves, meanOf, type Strategy } from "./search/strategy.ts";

const options = {
  elite: setting(
    0.2,
    "Share of the members that the next generation is drawn around. Less is greedier and narrows sooner (0.1 to 0.5).",
    { within: "share" },
  ),
  noise: setting(
    signals.linear(0.25, 0, 0.8),
    "Added to the variance of every weight, so that the search does not narrow too soon. Higher searches longer (1 falling to 0).",
    { within: "nonnegative" },
  ),
  sigma: size(1, "First deviation of each weight. Higher looks further away (0.1 to 10).", {
    within: "positive",
  }),
  ...searching({ population: 40, hidden: [], normalise: false }),
};

/** Settings of {@link crossEntropy}. */
export interface CrossEntropyOptions {
  /** Share of the members that count. */
  readonly elite: Moves;
  /** Added to the variance of every weight. */
  readonly noise: Moves;
  /** First deviation of each weight. */
  readonly sigma: number;
}

/** The cross-entropy method on a vector: a normal distribution, each number for itself, is fitted to the best members again and again. */
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

/** The cross-entropy method over the weights of a policy, with noise against narrowing too soon (Szita and Lőrincz, 2006). */
export const cem = define({
  name: "cem",
  summary:
    "Draws policies, keeps the best ones and draws around them: no gradients, for policies of few weights.",
  paper: "Learning Tetris Using the Noisy Cross-Entropy Method (Szita and Lőrincz, 2006)",
  options,
  requires: comparable(),
  start: (o, context, name) =>
    population({ ...o, name, strategy: (start, random) => crossEntropy(start, o, random) }, context),
});
