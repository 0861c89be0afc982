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

/** Options of a cliff walk with pushes. */
export interface AdversarialCliffOptions {
  readonly width?: number;
  readonly height?: number;
  /** What each step costs. */
  readonly cost?: number;
}

/** Push probabilities in each state, and the probability that a push succeeds. */
export interface PushPolicy {
  /** Probability of each push in a state: up, right, down, left, none. */
  push(state: number): readonly number[];
  /** Probability that a push succeeds. */
  readonly strength: number;
}

/** Settings of a worst-case evaluation. */
export interface WorstOptions {
  /** The policy by state; by default the optimal one against the worst case. */
  readonly policy?: ArrayLike<number>;
  /** Probability that a push succeeds. */
  readonly strength: number;
  readonly gamma: number;
}

/** A cliff walk with an adversary that pushes: a tabular zero-sum game for two players. */
export interface AdversarialCliff {
  readonly states: number;
  readonly actions: number;
  /** Pushes: four directions, and none. */
  readonly pushes: number;
  readonly start: number;
  /** The outcome of an action with a successful push, or none. */
  after(state: number, action: number, push: number): { state: number; reward: number; terminated: boolean };
  /** The walk against a fixed adversary. */
  against(pushing: PushPolicy): TabularMdp;
  /** The value of the walk at its start against a worst-case adversary that sees each step before the push. */
  worst(options: WorstOptions): number;
}

/**
 * From the lower left to the lower right, past a cliff between them: up (0), right (1), down (2), left (3). The
 * goal has reward 1, a fall -1, and both end the episode. After each step an adversary may push the agent by one
 * cell. The shortest path follows the edge, safe paths are longer.
 */
export function adversarialCliff({
  width = 7,
  height = 4,
  cost = 0.01,
}: AdversarialCliffOptions = {}): AdversarialCliff {
  const states = width * height;
  const [start, goal] = [states - width, states - 1];
  const moved = (from: number, way: number): number => {
    const row = Math.min(Math.max(Math.floor(from / width) + ways[way][0], 0), height - 1);
    const column = Math.min(Math.max((from % width) + ways[way][1], 0), width - 1);
    return row * width + column;
  };
  const isEnd = (state: number) => state > start;
  const after: AdversarialCliff["after"] = (from, action, push) => {
    const walked = moved(from, action);
    const state = isEnd(walked) ? walked : moved(walked, push);
    const paid = state === goal ? 1 : isEnd(state) ? -1 : 0;
    return { state, reward: paid - cost, terminated: paid !== 0 };
  };
  const worst: AdversarialCliff["worst"] = ({ policy, strength, gamma }) => {
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
