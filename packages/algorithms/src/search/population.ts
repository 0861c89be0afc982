import type { AlgorithmContext, Metrics, Started } from "@reins/core";
import { metricsPart } from "@reins/core/metrics";
import { planRequirements, whenReady } from "@reins/core/plans";
import { defaultRng, type Generator, seedOf, stream } from "@reins/core/random";
import { random } from "@reins/tensor";
import { flatOf, unflatten } from "./members.ts";
import { PopulationPlay } from "./play.ts";
import { type SearchedPolicyOptions, searchedPolicy } from "./policy.ts";
import { meanOf, type Strategy } from "./strategy.ts";

/** The parts of a search over the weights of a policy. */
export interface PopulationParts extends SearchedPolicyOptions {
  readonly name: string;
  readonly population: number;
  /** Episodes per member. */
  readonly episodes: number;
  /** Maximum episode length. */
  readonly horizon: number;
  /** All members play the same episodes. */
  readonly common: boolean;
  /** The search strategy, started at these weights. */
  strategy(start: Float64Array, random: Generator): Strategy;
}

/**
 * Evaluates a population of weights on whole episodes, reports the returns to the strategy, and repeats. The
 * acting policy is the centre.
 */
export function population(parts: PopulationParts, context: AlgorithmContext): Started {
  const { name, episodes } = parts;
  const [initKey, drawKey] = random.splitKey(context.key);
  const searched = searchedPolicy(context.spec, parts);
  const { policy } = searched;
  const weights = policy.init(initKey);
  const start = flatOf(weights.network);
  const strategy = parts.strategy(start, defaultRng(seedOf(drawKey)));
  const members = Array.from({ length: parts.population }, () => new Float64Array(start.length));
  const env = context.env(parts.population * episodes);
  const seed = stream(context.seed, "environments");
  const play = new PopulationPlay({ ...parts, env, searched, weights, members, seed });
  const placed = context.plan.place(name, play, planRequirements(policy));

  const counters = { updates: 0 };
  const metrics: Metrics = {};
  const { statistics } = context;
  const learn = (returns: Float64Array): Metrics => {
    strategy.tell(returns);
    unflatten(strategy.centre, weights.network);
    if (weights.scale) play.seen?.write(weights.scale);
    placed.publish();
    metrics["population/mean"] = meanOf(returns);
    metrics["population/best"] = returns.reduce((a, b) => Math.max(a, b));
    metrics["population/spread"] = strategy.spread;
    for (const [k, value] of Object.entries(metrics))
      if (k.startsWith("population/")) statistics.record(k, value);
    metrics.updates = ++counters.updates;
    play.meter.report(metrics, statistics);
    return metrics;
  };
  return {
    get steps() {
      return play.steps;
    },
    step() {
      strategy.ask(members);
      return whenReady(placed.next(), learn);
    },
    parts: {
      state: weights,
      strategy: strategy.parts,
      rollout: play.parts,
      // A resumed or transferred agent keeps its observation statistics.
      ...(play.seen ? { seen: play.seen.parts } : {}),
      counters,
      metrics: metricsPart(metrics),
    },
    acting: { policy, weights },
    inspect: () => ({ meter: play.meter }),
    close: () => env.close?.(),
  };
}
