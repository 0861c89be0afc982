import { type TabularMdp, tabularMdp } from "../tabular/mdp.ts";

/** Up, right, down, left, and staying: rows and columns. */
const ways = [
  [-1, 0],
  [0, 1],
  [1, 0],
  [0, -1],
  [0, 0],
];
const none = 4;

/** How a walk along a cliff is made on which somebody pushes. */
export interface PushedCliffOptions {
  readonly width?: number;
  readonly height?: number;
  /** What each step costs. */
  readonly cost?: number;
}

/** What is pushed how in each state, and how often a push moves. */
export interface Pushing {
  /** The chance of each push in a state: up, right, down, left, none. */
  push(state: number): readonly number[];
  /** How often a push moves who is pushed. */
  readonly strength: number;
}

/** Against whom the worst is reckoned. */
export interface WorstOptions {
  /** What each state does; by default what is best against the worst. */
  readonly policy?: ArrayLike<number>;
  /** How often a push moves who is pushed. */
  readonly strength: number;
  readonly gamma: number;
}

/** A walk along a cliff on which somebody pushes: a zero-sum game for two, in a table. */
export interface PushedCliff {
  readonly states: number;
  readonly actions: number;
  /** Pushes: four ways, and none. */
  readonly pushes: number;
  readonly start: number;
  /** What an action and a push that moves, or none, lead to. */
  after(state: number, action: number, push: number): { state: number; reward: number; terminated: boolean };
  /** The walk with somebody who always pushes in the same way. */
  against(pushing: Pushing): TabularMdp;
  /** What the walk is worth at its start against somebody who sees each step before the push, and pushes the worst way. */
  worst(options: WorstOptions): number;
}

/**
 * From the lower left to the lower right, past a cliff between them: up (0), right (1), down (2), left (3). The goal pays 1, a fall costs 1, and both
 * end it. After each step somebody may push one cell further. The shortest way leads along the edge, the safe ones are longer.
 */
export function pushedCliff({ width = 7, height = 4, cost = 0.01 }: PushedCliffOptions = {}): PushedCliff {
  const states = width * height;
  const [start, goal] = [states - width, states - 1];
  const moved = (from: number, way: number): number => {
    const row = Math.min(Math.max(Math.floor(from / width) + ways[way][0], 0), height - 1);
    const column = Math.min(Math.max((from % width) + ways[way][1], 0), width - 1);
    return row * width + column;
  };
  const isEnd = (state: number) => state > start;
  const after: PushedCliff["after"] = (from, action, push) => {
    const walked = moved(from, action);
    const state = isEnd(walked) ? walked : moved(walked, push);
    const paid = state === goal ? 1 : isEnd(state) ? -1 : 0;
    return { state, reward: paid - cost, terminated: paid !== 0 };
  };
  const worst: PushedCliff["worst"] = ({ policy, strength, gamma }) => {
    const values = new Float64Array(states);
    const follows = (from: number, action: number, push: number) => {
      const { state, reward, terminated } = after(from, action, push);
      return terminated ? reward : reward + gamma * values[state];
    };
    const against = (from: number, action: number) => {
      const lowest = Math.min(...ways.map((_, push) => follows(from, action, push)));
      return (1 - strength) * follows(from, action, none) + strength * lowest;
    };
    for (let change = 1; change > 1e-9; ) {
      change = 0;
      for (let from = 0; from < states; from++) {
        const value = policy
          ? against(from, policy[from])
          : Math.max(...[0, 1, 2, 3].map((a) => against(from, a)));
        change = Math.max(change, Math.abs(value - values[from]));
        values[from] = value;
      }
    }
    return values[start];
  };
  const first = Array.from({ length: states }, (_, s) => (s === start ? 1 : 0));
  return {
    ...{ states, actions: 4, pushes: 5, start, after, worst },
    against: ({ push, strength }) =>
      tabularMdp({ id: "PushedCliff-v0", states, actions: 4, start: first }, (from, action) => {
        const chances = push(from);
        const unmoved = 1 - strength * (1 - chances[none]);
        return chances.map((chance, way) => ({
          probability: way === none ? unmoved : strength * chance,
          ...after(from, action, way),
        }));
      }),
  };
}
