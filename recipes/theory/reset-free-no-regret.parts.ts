import type { Generator } from "@reins/core/random";

/** Moves in four directions, and staying. */
const actions = 5;

/** A grid with pits: a move slips to a side with some probability, staying is safe but earns nothing. A fall into a pit needs a reset. */
export interface PitGrid {
  readonly states: number;
  readonly actions: number;
  /** Reward of a move into a state, or 0 for staying. */
  reward(a: number, next: number): number;
  readonly start: number;
  readonly pit: readonly boolean[];
  /** Next states of a pair with their probabilities. */
  next(s: number, a: number): readonly (readonly [state: number, probability: number])[];
}

/** A random grid in which the reward is highest beside the pits. */
export function pitGrid(
  random: Generator,
  { size, pits, slip }: { size: number; pits: number; slip: number },
): PitGrid {
  const states = size * size;
  const order = random.permutation(states);
  const pit = Array.from({ length: states }, () => false);
  for (let i = 0; i < pits; i++) pit[order[i]] = true;
  const move = (s: number, a: number): number => {
    const [dx, dy] = [
      [1, 0],
      [0, 1],
      [-1, 0],
      [0, -1],
      [0, 0],
    ][a];
    const [x, y] = [(s % size) + dx, Math.floor(s / size) + dy];
    return x < 0 || y < 0 || x >= size || y >= size ? s : y * size + x;
  };
  const beside = (s: number) => [0, 1, 2, 3].some((a) => pit[move(s, a)]);
  const rewards = Float64Array.from({ length: states }, (_, s) => {
    const r = random.random();
    return beside(s) ? r : r * 0.7;
  });
  const table = Array.from({ length: states * actions }, (_, i) => {
    const [s, a] = [Math.floor(i / actions), i % actions];
    if (a === 4) return [[s, 1] as const];
    return [
      [move(s, a), 1 - slip] as const,
      [move(s, (a + 1) % 4), slip / 2] as const,
      [move(s, (a + 3) % 4), slip / 2] as const,
    ];
  });
  return {
    states,
    actions,
    start: order[pits],
    pit,
    reward: (a, next) => (a === 4 || pit[next] ? 0 : rewards[next]),
    next: (s, a) => table[s * actions + a],
  };
}

/** Q-values of reward and of resets for a pair of the step with this many steps left. */
export interface Values {
  readonly reward: Float64Array;
  readonly cost: Float64Array;
}

/** Chooses an action from the values of a state's actions, which start at `at`. */
export type Choose = (values: Values, at: number) => number;

/** What has been observed: counts of next states. Reward and resets of a state are known. */
export class Model {
  readonly counts: Float64Array[];
  readonly visits: Float64Array;
  private readonly grid: PitGrid;

  constructor(grid: PitGrid) {
    this.grid = grid;
    this.counts = Array.from({ length: grid.states * grid.actions }, () => new Float64Array(grid.states));
    this.visits = new Float64Array(grid.states * grid.actions);
  }

  learn(s: number, a: number, next: number): void {
    this.counts[s * this.grid.actions + a][next]++;
    this.visits[s * this.grid.actions + a]++;
  }

  /**
   * Least-squares value iteration for one feature per pair: means plus a bonus for the reward, minus one for the
   * resets; the reward of an untried action is the highest possible, and its resets are 0. Returns the actions of each step, and the value of both at the first step.
   */
  plan(
    horizon: number,
    bonus: number,
    choose: Choose,
  ): { policy: Int32Array[]; reward: Float64Array; cost: Float64Array } {
    const { states, actions, pit } = this.grid;
    const policy: Int32Array[] = [];
    let [reward, cost] = [new Float64Array(states), new Float64Array(states)];
    const q: Values = {
      reward: new Float64Array(states * actions),
      cost: new Float64Array(states * actions),
    };
    for (let left = 1; left <= horizon; left++) {
      const chosen = new Int32Array(states);
      const [nextReward, nextCost] = [new Float64Array(states), new Float64Array(states)];
      for (let s = 0; s < states; s++) {
        if (pit[s]) continue;
        for (let a = 0; a < actions; a++) {
          const i = s * actions + a;
          const n = this.visits[i];
          if (n === 0) {
            [q.reward[i], q.cost[i]] = [left, 0];
            continue;
          }
          let [r, c] = [0, 0];
          const row = this.counts[i];
          for (let o = 0; o < states; o++)
            if (row[o] > 0) {
              r += row[o] * (this.grid.reward(a, o) + reward[o]);
              c += row[o] * (pit[o] ? 1 : cost[o]);
            }
          const width = bonus / Math.sqrt(n);
          q.reward[i] = Math.min(left, r / n + left * width);
          q.cost[i] = Math.max(0, c / n - width);
        }
        const a = choose(q, s * actions);
        chosen[s] = a;
        nextReward[s] = q.reward[s * actions + a];
        nextCost[s] = q.cost[s * actions + a];
      }
      policy.unshift(chosen);
      [reward, cost] = [nextReward, nextCost];
    }
    return { policy, reward, cost };
  }
}

/** The highest reward of an episode from each state that never risks a reset. */
export function safeOptimum(grid: PitGrid, horizon: number): Float64Array {
  let values = new Float64Array(grid.states);
  for (let left = 1; left <= horizon; left++) {
    const last = values;
    values = values.map((_, s) => {
      let best = 0;
      for (let a = 0; a < grid.actions && !grid.pit[s]; a++) {
        const outcomes = grid.next(s, a);
        if (outcomes.some(([o]) => grid.pit[o])) continue;
        best = Math.max(
          best,
          outcomes.reduce((sum, [o, p]) => sum + p * (grid.reward(a, o) + last[o]), 0),
        );
      }
      return best;
    });
  }
  return values;
}

/** Exact expected reward and resets of an episode from each state. */
export function evaluate(
  grid: PitGrid,
  policy: readonly Int32Array[],
): { reward: Float64Array; cost: Float64Array } {
  let [reward, cost] = [new Float64Array(grid.states), new Float64Array(grid.states)];
  for (const actions of [...policy].reverse()) {
    const [r, c] = [reward, cost];
    const over = (of: (o: number, a: number) => number) => (_: number, s: number) =>
      grid.pit[s] ? 0 : grid.next(s, actions[s]).reduce((sum, [o, p]) => sum + p * of(o, actions[s]), 0);
    reward = r.map(over((o, a) => grid.reward(a, o) + r[o]));
    cost = c.map(over((o) => (grid.pit[o] ? 1 : c[o])));
  }
  return { reward, cost };
}
