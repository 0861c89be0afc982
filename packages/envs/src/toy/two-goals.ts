import { type TabularMdp, tabularMdp } from "../tabular/mdp.ts";

/** Options of a two-goal field. */
export interface TwoGoalsOptions {
  /** Cells along each side; odd, so that there is a centre. */
  readonly size?: number;
  /** Reward of the goal in the upper left corner. */
  readonly better?: number;
  /** Reward of the goal in the lower right corner. */
  readonly worse?: number;
  /** What each step costs. */
  readonly cost?: number;
}

/** Up, right, down, left: rows and columns. */
const directions = [
  [-1, 0],
  [0, 1],
  [1, 0],
  [0, -1],
];

/**
 * A square field from its centre, with goals in two opposite corners at equal distance. Which one a policy
 * gradient converges to depends on its first batches.
 */
export function twoGoalsModel(options: TwoGoalsOptions = {}): TabularMdp {
  const { size = 5, better = 1, worse = 0.5, cost = 0.01 } = options;
  const states = size * size;
  const inside = (x: number) => Math.min(Math.max(x, 0), size - 1);
  return tabularMdp(
    {
      id: "TwoGoals-v0",
      states,
      actions: 4,
      start: Array.from({ length: states }, (_, s) => (s === (states - 1) / 2 ? 1 : 0)),
    },
    (from, action) => {
      const [down, right] = directions[action];
      const state = inside(Math.floor(from / size) + down) * size + inside((from % size) + right);
      const paid = state === 0 ? better : state === states - 1 ? worse : undefined;
      return [{ probability: 1, state, reward: (paid ?? 0) - cost, terminated: paid !== undefined }];
    },
  );
}
