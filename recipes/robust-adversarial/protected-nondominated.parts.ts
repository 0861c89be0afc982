import type { Generator } from "@reins/core/random";
import { innerProduct } from "@reins/envs";
import { real } from "@reins/tensor";

/** A table of distributions: actions by observed state (a policy), or observed states by true state (an attack). */
export type Table = readonly Float64Array[];

/** A random MDP whose state may be observed as one of its neighbours on a ring. */
export interface Arena {
  readonly states: number;
  readonly actions: number;
  readonly discount: number;
  readonly transitions: readonly (readonly Float64Array[])[];
  readonly rewards: readonly Float64Array[];
}

export function randomArena(
  random: Generator,
  o: { states: number; actions: number; discount: number },
): Arena {
  const pairs = <T>(make: () => T) =>
    Array.from({ length: o.states }, () => Array.from({ length: o.actions }, make));
  return {
    ...o,
    transitions: pairs(() => {
      const p = new Float64Array(o.states);
      for (let i = 0; i < 3; i++) p[random.integers(o.states)] += 1 / 3;
      return p;
    }),
    rewards: pairs(() => random.random() ** 2).map((row) => Float64Array.from(row)),
  };
}

/** States that an attack may show: the true one and its two neighbours. */
const reach = (arena: Arena, s: number) => [0, 1, arena.states - 1].map((step) => (s + step) % arena.states);

export const honest = ({ states }: Arena): Table =>
  Array.from({ length: states }, (_, s) => Float64Array.from({ length: states }, (_, o) => Number(o === s)));
export const anyNeighbour = (arena: Arena, random?: Generator): Table =>
  honest(arena).map((row, s) => {
    const shown = row.map(() => 0);
    for (const o of reach(arena, s)) shown[o] = random ? random.exponential() : 1;
    return normalised(shown);
  });
export const indifferent = ({ states, actions }: Arena): Table =>
  Array.from({ length: states }, () => new Float64Array(actions).fill(1 / actions));

function normalised(weights: Float64Array): Float64Array {
  const sum = weights.reduce((a, b) => a + b);
  return weights.map((w) => w / sum);
}

/** A policy under an attack: its return, and by state how often it is there and what it gains from each action. */
export interface Played {
  readonly value: number;
  readonly visits: Float64Array;
  /** `advantages[s][a]` of the true state. */
  readonly advantages: readonly Float64Array[];
}

/** Plays exactly, in units in which a reward of 1 in every step is 1. */
export function play(arena: Arena, policy: Table, attack: Table): Played {
  const { states, actions, discount } = arena;
  const shares = attack.map((shown) => {
    const p = new Float64Array(actions);
    for (let o = 0; o < states; o++)
      if (shown[o] > 0) for (let a = 0; a < actions; a++) p[a] += shown[o] * policy[o][a];
    return p;
  });
  let [values, visits] = [new Float64Array(states), new Float64Array(states).fill(1 / states)];
  const worth = (s: number, a: number) =>
    (1 - discount) * arena.rewards[s][a] + discount * innerProduct(arena.transitions[s][a], values);
  for (let sweep = 0; sweep < 60; sweep++) {
    values = values.map((_, s) => shares[s].reduce((sum, p, a) => sum + p * worth(s, a), 0));
    const next = new Float64Array(states).fill((1 - discount) / states);
    for (let s = 0; s < states; s++)
      for (let a = 0; a < actions; a++)
        for (let n = 0; n < states; n++)
          next[n] += discount * visits[s] * shares[s][a] * arena.transitions[s][a][n];
    visits = next;
  }
  const advantages = arena.rewards.map((row, s) => row.map((_, a) => worth(s, a) - values[s]));
  return { value: values.reduce((a, b) => a + b) / states, visits, advantages };
}

/** Natural policy gradient against attacks with weights: the logits of an observation rise with the mean advantage behind it. */
export function climbPolicy(
  arena: Arena,
  policy: Table,
  attacks: readonly { readonly attack: Table; readonly weight: number }[],
  learningRate: number,
): Table {
  const gains = policy.map((row) => row.map(() => 0));
  const mass = new Float64Array(arena.states);
  for (const { attack, weight } of attacks) {
    const { visits, advantages } = play(arena, policy, attack);
    for (let s = 0; s < arena.states; s++)
      for (const o of reach(arena, s)) {
        const share = weight * visits[s] * attack[s][o];
        mass[o] += share;
        for (let a = 0; a < arena.actions; a++) gains[o][a] += share * advantages[s][a];
      }
  }
  const scale = learningRate / (1 - arena.discount);
  return policy.map((row, o) =>
    normalised(
      row.map((p, a) => Math.max(1e-6, p * real.exp(mass[o] > 0 ? (scale * gains[o][a]) / mass[o] : 0))),
    ),
  );
}

/** A step of an attack along the weighted returns of policies: a negative weight lowers a policy's return. */
export function climbAttack(
  arena: Arena,
  attack: Table,
  victims: readonly { readonly policy: Table; readonly weight: number }[],
  learningRate: number,
): Table {
  const gains = attack.map((row) => row.map(() => 0));
  for (const { policy, weight } of victims) {
    const { visits, advantages } = play(arena, policy, attack);
    for (let s = 0; s < arena.states; s++)
      for (const o of reach(arena, s))
        gains[s][o] += weight * visits[s] * arena.states * innerProduct(policy[o], advantages[s]);
  }
  const scale = learningRate / (1 - arena.discount);
  return attack.map((row, s) => {
    const next = row.map(() => 0);
    for (const o of reach(arena, s))
      next[o] = Math.max(1e-6, row[o] * real.exp(Math.max(-20, Math.min(20, scale * gains[s][o]))));
    return normalised(next);
  });
}

/** EXP3 over policies, with the authors' implicit exploration: η = rate √(ln K / (K T)), and η / 2 below the probability. */
export class Exp3 {
  readonly #weights: Float64Array;
  readonly #eta: number;

  constructor(arms: number, rounds: number, rate: number) {
    this.#weights = new Float64Array(arms).fill(1);
    this.#eta = rate * Math.sqrt(real.log(Math.max(2, arms)) / (arms * rounds));
  }

  get probabilities(): Float64Array {
    return normalised(this.#weights);
  }

  learn(arm: number, reward: number): void {
    this.#weights[arm] *= real.exp((this.#eta * reward) / (this.probabilities[arm] + this.#eta / 2));
  }
}
