import { code, define, setting } from "@reins/core";
import type { Generator } from "@reins/core/random";
import type { SearchGuide, SearchGuideMaker } from "./search/guide.ts";
import { Mirrored } from "./search/mirrored-sampling.ts";
import { comparable, searching } from "./search/options.ts";
import { population } from "./search/population.ts";
import { deviationOf, fromBest, type Moves, type Strategy } from "./search/strategy.ts";

const options = {
  learningRate: setting(0.1, "Learning rate. Higher learns faster until it overshoots (0.01 to 0.3).", {
    within: "nonnegative",
  }),
  sigma: setting(
    0.1,
    "Standard deviation of the perturbations. Higher smooths over small bumps and blurs narrow optima (0.01 to 0.5).",
    { within: "positive" },
  ),
  elite: setting(
    0.5,
    "Fraction of directions used, ranked by the better of both signs. Lower is greedier and noisier (0.1 to 1).",
    { within: "share" },
  ),
  guide: code<SearchGuideMaker>(
    "A model of policy values that guides the search: representation({ share: 0.5 }), or a custom one.",
  ),
  ...searching({ population: 32, hidden: [], normalise: true }),
};

/** Settings of {@link randomSearch}. */
export interface RandomSearchOptions {
  readonly learningRate: Moves;
  /** Standard deviation of the perturbations. */
  readonly sigma: Moves;
  /** Fraction of directions used. */
  readonly elite: Moves;
  /** Population size; an even number. */
  readonly population: number;
  /** A model that guides the search. */
  readonly guide?: SearchGuideMaker | undefined;
}

/** Steps along the directions with the highest returns, scaled by the standard deviation of their members' returns. */
export function randomSearch(start: Float64Array, o: RandomSearchOptions, random: Generator): Strategy {
  const centre = start.slice();
  const mirrored = new Mirrored(o.population, start.length, random);
  const guide = o.guide?.(start.length, random);
  let sigma = o.sigma.value;
  let tried: readonly Float64Array[] = [];
  const follow = (returns: Float64Array, share: number) => {
    const { directions } = mirrored;
    const better = Float64Array.from(directions, (_, i) => Math.max(returns[2 * i], returns[2 * i + 1]));
    const count = Math.max(1, Math.round(o.elite.value * directions.length));
    const used = fromBest(better).slice(0, count);
    const deviation = deviationOf(used.flatMap((i) => [returns[2 * i], returns[2 * i + 1]]));
    // Equal returns give no direction.
    if (deviation === 0) return;
    const stride = (share * o.learningRate.value) / (count * deviation);
    for (const i of used) {
      const pull = stride * (returns[2 * i] - returns[2 * i + 1]);
      for (let k = 0; k < centre.length; k++) centre[k] += pull * directions[i][k];
    }
  };
  const obey = ({ share, told, direction }: SearchGuide, returns: Float64Array) => {
    told(tried, returns);
    const along = direction(centre, sigma);
    follow(returns, 1 - share);
    for (let k = 0; k < centre.length; k++) centre[k] += share * o.learningRate.value * along[k];
  };
  return {
    centre,
    get spread() {
      return sigma;
    },
    ask(members) {
      tried = members;
      sigma = o.sigma.value;
      mirrored.ask(centre, sigma, members);
    },
    tell(returns) {
      if (guide) obey(guide, returns);
      else follow(returns, 1);
    },
    parts: { centre, random, ...(guide && { guide: guide.parts }) },
  };
}

/**
 * Augmented random search (Mania et al., 2018), version V2-t: normalised observations, top directions, scaled
 * steps.
 */
export const ars = define({
  name: "ars",
  summary:
    "Random search around a linear policy on normalised observations: simple, fast and hard to beat on smooth control.",
  paper:
    "Simple Random Search of Static Linear Policies Is Competitive for Reinforcement Learning (Mania et al., 2018)",
  options,
  requires: comparable(true),
  start: (o, context, name) =>
    population({ ...o, name, strategy: (start, random) => randomSearch(start, o, random) }, context),
});
