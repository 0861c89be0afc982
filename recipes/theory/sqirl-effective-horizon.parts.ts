import type { Generator } from "@reins/core/random";
import type { TabularMdp } from "@reins/envs";

/** A square lake with the start and the goal in opposite corners and a way between them. */
export function randomLake(random: Generator, size: number, holes: number): string[] {
  for (;;) {
    const cells = Array.from({ length: size * size }, () => "F");
    for (const i of [...random.permutation(size * size - 2)].slice(0, holes)) cells[i + 1] = "H";
    [cells[0], cells[cells.length - 1]] = ["S", "G"];
    const seen = new Set([0]);
    for (const at of seen)
      for (const [to, near] of [
        [at - 1, at % size > 0],
        [at + 1, at % size < size - 1],
        [at - size, at >= size],
        [at + size, at < size * (size - 1)],
      ] as const)
        if (near && cells[to] !== "H") seen.add(to);
    if (seen.has(size * size - 1))
      return Array.from({ length: size }, (_, r) => cells.slice(r * size, (r + 1) * size).join(""));
  }
}

/** Transitions after which actions were random, and what followed them. */
export class RandomContinuations {
  private readonly visits: Float64Array;
  private readonly rewards: Float64Array;
  private readonly returns: Float64Array;
  /** Visits of each next state; transitions to the end of an episode are left out. */
  private readonly followers: Float64Array;

  private readonly states: number;
  private readonly actions: number;

  constructor(states: number, actions: number) {
    [this.states, this.actions] = [states, actions];
    const pairs = states * actions;
    [this.visits, this.rewards, this.returns] = [0, 1, 2].map(() => new Float64Array(pairs));
    this.followers = new Float64Array(pairs * states);
  }

  /** Adds a transition with its return until the end of the episode; `next` is −1 at the end. */
  add(state: number, action: number, reward: number, next: number, total: number): void {
    const pair = state * this.actions + action;
    this.visits[pair]++;
    this.rewards[pair] += reward;
    this.returns[pair] += total;
    if (next >= 0) this.followers[pair * this.states + next]++;
  }

  /** Lowers the weight of all transitions so far. */
  fade(factor: number): void {
    for (const sums of [this.visits, this.rewards, this.returns, this.followers])
      for (let i = 0; i < sums.length; i++) sums[i] *= factor;
  }

  /** Q of the random policy after `depth` − 1 steps of Q-iteration, by state and action; 0 where a pair was never seen. */
  values(depth: number): Float64Array {
    const { visits, rewards, returns, followers, states, actions } = this;
    let q = returns.map((sum, i) => (visits[i] > 0 ? sum / visits[i] : 0));
    for (let k = 1; k < depth; k++) {
      const best = Float64Array.from({ length: states }, (_, s) =>
        Math.max(...q.subarray(s * actions, (s + 1) * actions)),
      );
      q = q.map((_, i) => {
        if (!(visits[i] > 0)) return 0;
        let sum = rewards[i];
        for (let s = 0; s < states; s++) sum += followers[i * states + s] * best[s];
        return sum / visits[i];
      });
    }
    return q;
  }
}

/** The action with the highest value in each state, the first one if several have it. */
export const greedy = (q: Float64Array, states: number, actions: number): Int32Array =>
  Int32Array.from({ length: states }, (_, s) => {
    const own = q.subarray(s * actions, (s + 1) * actions);
    return own.indexOf(Math.max(...own));
  });

/** The expected return of a policy for each step of an episode. */
export function returnOf({ start, states, transition }: TabularMdp, policies: readonly Int32Array[]): number {
  let values = new Float64Array(states);
  for (const policy of [...policies].reverse())
    values = values.map((_, s) => {
      let sum = 0;
      for (const o of transition[s][policy[s]])
        sum += o.probability * (o.reward + (o.terminated ? 0 : values[o.state]));
      return sum;
    });
  return start.reduce((sum, p, s) => sum + p * values[s], 0);
}
