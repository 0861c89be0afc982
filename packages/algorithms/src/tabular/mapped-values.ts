import type { Generator } from "@reins/core/random";
import { real } from "@reins/tensor";
import type { TabularEpisodes } from "./softmax-table.ts";

/** An increasing function through which values are learned, and its inverse. */
export interface ValueMapping {
  to(value: number): number;
  from(mapped: number): number;
}

/**
 * Mappings for {@link MappedValues}: `linear` is the identity, `log` gives multiplicative differences as much
 * resolution as additive ones.
 */
export const valueMappings = {
  linear: (): ValueMapping => ({ to: (x) => x, from: (y) => y }),
  /** Logarithm of a non-negative value, offset by `floor` and shifted so that 0 maps to 0. */
  log: (floor: number): ValueMapping => ({
    to: (x) => real.log(Math.max(x, 0) / floor + 1),
    from: (y) => (real.exp(y) - 1) * floor,
  }),
};

/** A component of the reward with its own values. */
export interface ValueChannel {
  /** The component of a reward. The weighted components add up to the reward. */
  reward(reward: number): number;
  readonly weight: number;
  readonly mapping: ValueMapping;
}

/** Gains and losses as two channels, each with its own mapping. */
export const gainsAndLosses = (gains: ValueMapping, losses: ValueMapping): ValueChannel[] => [
  { weight: 1, mapping: gains, reward: (r) => Math.max(r, 0) },
  { weight: -1, mapping: losses, reward: (r) => Math.max(-r, 0) },
];

/** Settings of {@link MappedValues}. */
export interface MappedValuesOptions {
  readonly channels: readonly ValueChannel[];
  /** Active binary features of each state, equally many everywhere; `[s]` makes it a table. */
  readonly features: readonly (readonly number[])[];
  readonly actions: number;
  readonly gamma: number;
  /** Step size in value space, which averages over noise. */
  readonly regularRate: number;
  /** Step size in mapped space. */
  readonly mappedRate: number;
}

/**
 * Q-learning whose values are the weighted sum of channels, each learned through a mapping (Fatemi and Tavakoli, "Orchestrated Value
 * Mapping for Reinforcement Learning", 2022). With one linear channel it is Q-learning, with two logarithmic ones Log Q-learning (van
 * Seijen et al., 2019), with several linear ones Q-decomposition.
 */
export class MappedValues {
  private readonly options: MappedValuesOptions;
  /** For each channel, feature and action. */
  private readonly weights: readonly Float64Array[];

  constructor(options: MappedValuesOptions) {
    this.options = options;
    const features = 1 + Math.max(...options.features.flat());
    this.weights = options.channels.map(({ mapping }) =>
      new Float64Array(features * options.actions).fill(mapping.to(0) / options.features[0].length),
    );
  }

  /** Value of an action in a state. */
  value(state: number, action: number): number {
    const { channels } = this.options;
    let sum = 0;
    for (let j = 0; j < channels.length; j++)
      sum += channels[j].weight * channels[j].mapping.from(this.mapped(j, state, action));
    return sum;
  }

  /** The greedy action, the first of equals. */
  best(state: number): number {
    let [action, most] = [0, Number.NEGATIVE_INFINITY];
    for (let a = 0; a < this.options.actions; a++) {
      const value = this.value(state, a);
      if (value > most) [action, most] = [a, value];
    }
    return action;
  }

  /** Learns from a step; `next` is -1 at a terminal state. Returns the sum of squared errors in mapped space. */
  learn(state: number, action: number, reward: number, next: number): number {
    const { channels, features, actions, gamma, regularRate, mappedRate } = this.options;
    const ahead = next < 0 ? 0 : this.best(next);
    const active = features[state];
    let squares = 0;
    for (let j = 0; j < channels.length; j++) {
      const { mapping } = channels[j];
      const known = this.mapped(j, state, action);
      const now = mapping.from(known);
      const later = next < 0 ? 0 : gamma * mapping.from(this.mapped(j, next, ahead));
      const averaged = now + regularRate * (channels[j].reward(reward) + later - now);
      const error = mapping.to(averaged) - known;
      for (const f of active) this.weights[j][f * actions + action] += (mappedRate * error) / active.length;
      squares += error * error;
    }
    return squares;
  }

  private mapped(channel: number, state: number, action: number): number {
    let sum = 0;
    for (const f of this.options.features[state])
      sum += this.weights[channel][f * this.options.actions + action];
    return sum;
  }
}

/** How {@link trainMappedValues} explores. */
export interface TrainMappedOptions {
  readonly steps: number;
  /** Probability of a random action; with unknown values, all actions are random. */
  readonly epsilon: number;
  readonly random: Generator;
}

/** Learns values by acting on them in an environment. Returns the squares of the first errors above 0. */
export function trainMappedValues(
  q: MappedValues,
  world: TabularEpisodes,
  options: TrainMappedOptions,
): number[] {
  const { steps, epsilon, random } = options;
  const early: number[] = [];
  for (let t = 0, state = -1; t < steps; t++) {
    if (state < 0) state = world.begin();
    const best = q.best(state);
    const blind = q.value(state, best) === 0 || random.random() < epsilon;
    const action = blind ? random.integers(world.actions) : best;
    const next = world.step(action);
    const squares = q.learn(state, action, next.reward, next.over ? -1 : next.state);
    if (squares > 0 && early.length < 10) early.push(squares);
    state = next.over ? -1 : next.state;
  }
  return early;
}

/** Tile coding: the tiles of each of `states` numbers in `width` tilings of that width, each offset by one. */
export const tileCoding = (states: number, width: number): number[][] =>
  Array.from({ length: states }, (_, s) =>
    Array.from({ length: width }, (_, i) => Math.floor((s + i) / width) * width + i),
  );
