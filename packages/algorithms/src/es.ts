import { define, type Generator, setting } from "@reins/core";
import { real } from "@reins/tensor";
import { Mirrored } from "./search/mirrored.ts";
import { comparable, searching } from "./search/options.ts";
import { population } from "./search/population.ts";
import { centredRanks, type Moves, type Strategy } from "./search/strategy.ts";

const options = {
  learningRate: setting(
    0.03,
    "Size of a step. Higher learns faster until it jumps over what is good (0.001 to 0.1).",
    { within: "nonnegative" },
  ),
  sigma: setting(
    0.1,
    "Deviation of the members from the centre. Higher sees past small bumps, and blurs what is narrow (0.01 to 0.5).",
    { within: "positive" },
  ),
  weightDecay: setting(
    0.005,
    "Pull of the weights towards 0, beside the gradient. Higher keeps the noise of equal size to the weights (0 to 0.01).",
    { within: "nonnegative" },
  ),
  ...searching({ population: 64, hidden: [32], normalise: false }),
};

/** Settings of {@link evolutionStrategy}. */
export interface EvolutionStrategyOptions {
  readonly learningRate: Moves;
  /** Deviation of the members from the centre. */
  readonly sigma: Moves;
  readonly weightDecay: Moves;
  /** Members of a generation; an even number. */
  readonly population: number;
}

const beta1 = 0.9;
const beta2 = 0.999;
const epsilon = 1e-8;

/** Adam along the gradient of the expected rank under normal noise, as mirrored members estimate it. */
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
    "Follows the gradient of what noisy copies of a policy earn: no backpropagation, and indifferent to long delays.",
  paper: "Evolution Strategies as a Scalable Alternative to Reinforcement Learning (Salimans et al., 2017)",
  options,
  requires: comparable(true),
  start: (o, context, name) =>
    population({ ...o, name, strategy: (start, random) => evolutionStrategy(start, o, random) }, context),
});
