import { define, setting } from "@reins/core";
import type { Generator } from "@reins/core/random";
import { real } from "@reins/tensor";
import { Mirrored } from "./search/mirrored-sampling.ts";
import { comparable, searching } from "./search/options.ts";
import { population } from "./search/population.ts";
import { centredRanks, type Moves, type Strategy } from "./search/strategy.ts";

const options = {
  learningRate: setting(0.03, "Learning rate. Higher learns faster until it overshoots (0.001 to 0.1).", {
    within: "nonnegative",
  }),
  sigma: setting(
    0.1,
    "Standard deviation of the perturbations. Higher smooths over small bumps and blurs narrow optima (0.01 to 0.5).",
    { within: "positive" },
  ),
  weightDecay: setting(
    0.005,
    "Weight decay, separate from the gradient. Higher keeps the noise large relative to the weights (0 to 0.01).",
    { within: "nonnegative" },
  ),
  ...searching({ population: 64, hidden: [32], normalise: false }),
};

/** Settings of {@link evolutionStrategy}. */
export interface EvolutionStrategyOptions {
  readonly learningRate: Moves;
  /** Standard deviation of the perturbations. */
  readonly sigma: Moves;
  readonly weightDecay: Moves;
  /** Population size; an even number. */
  readonly population: number;
}

const beta1 = 0.9;
const beta2 = 0.999;
const epsilon = 1e-8;

/**
 * Adam on the gradient of the expected rank under normal noise, estimated from mirrored members.
 *
 * @experimental
 */
export function evolutionStrategy(
  start: Float64Array,
  o: EvolutionStrategyOptions,
  random: Generator,
): Strategy {
  const centre = start.slice();
  const mirrored = new Mirrored(o.population, start.length, random);
  const mean = new Float64Array(start.length);
  const square = new Float64Array(start.length);
  const counters = { updates: 0 };
  let sigma = o.sigma.value;
  return {
    centre,
    get spread() {
      return sigma;
    },
    ask(members) {
      sigma = o.sigma.value;
      mirrored.ask(centre, sigma, members);
    },
    tell(returns) {
      const ranks = centredRanks(returns);
      const { directions } = mirrored;
      const t = ++counters.updates;
      const stride = o.learningRate.value / (1 - real.pow(beta1, t));
      const root = 1 / Math.sqrt(1 - real.pow(beta2, t));
      for (let k = 0; k < centre.length; k++) {
        let sum = 0;
        for (let i = 0; i < directions.length; i++)
          sum += (ranks[2 * i] - ranks[2 * i + 1]) * directions[i][k];
        const descent = o.weightDecay.value * centre[k] - sum / (returns.length * sigma);
        mean[k] = beta1 * mean[k] + (1 - beta1) * descent;
        square[k] = beta2 * square[k] + (1 - beta2) * descent ** 2;
        centre[k] -= (stride * mean[k]) / (Math.sqrt(square[k]) * root + epsilon);
      }
    },
    parts: { centre, mean, square, counters, random },
  };
}

/** Evolution strategies (Salimans et al., 2017): mirrored noise, centred ranks, Adam. */
export const es = define({
  name: "es",
  summary:
    "Follows the gradient of the returns of perturbed policies: no backpropagation, and insensitive to long delays.",
  paper: "Evolution Strategies as a Scalable Alternative to Reinforcement Learning (Salimans et al., 2017)",
  options,
  requires: comparable(true),
  start: (o, context, name) =>
    population({ ...o, name, strategy: (start, random) => evolutionStrategy(start, o, random) }, context),
});
