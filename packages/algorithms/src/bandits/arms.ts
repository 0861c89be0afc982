import {
  type Acting,
  type Discrete,
  type EnvSpec,
  fail,
  flatSize,
  showSpace,
  size,
  type View,
} from "@reins/core";
import { add, argmax, iota, mod, type Tensor, take, tensor, zeros } from "@reins/tensor";
import type { BanditLearner, BanditSetup } from "./play.ts";

/** What all bandit algorithms can be given. */
export const banditSizes = {
  envs: size(
    1,
    "Problems played at once, each learned by itself: regret is the mean over them. More is quicker for averages (1 to 1000).",
    { within: "count" },
  ),
  round: size(
    100,
    "Pulls in a round, about: settings move and metrics are noted once a round. Fewer draws finer curves (1 to 1000).",
    { within: "count" },
  ),
};

/** How often each arm was pulled, and what it paid on average; entry `row × arms + arm`. */
export class Arms {
  readonly rows: number;
  readonly arms: number;
  readonly counts: Float64Array;
  readonly means: Float64Array;
  /** Pulls of each row. */
  readonly pulls: Float64Array;

  constructor({ rows, arms }: BanditSetup, initial = 0) {
    this.rows = rows;
    this.arms = arms;
    this.counts = new Float64Array(rows * arms);
    this.means = new Float64Array(rows * arms).fill(initial);
    this.pulls = new Float64Array(rows);
  }

  /** Moves an arm's mean towards a reward: by its share of all, or by a fixed share (which forgets what is old). */
  learn(row: number, arm: number, reward: number, share = 0): void {
    const at = row * this.arms + arm;
    this.counts[at]++;
    this.pulls[row]++;
    const error = reward - this.means[at];
    this.means[at] += share > 0 ? error * share : error / this.counts[at];
  }

  get parts() {
    const { counts, means, pulls } = this;
    return { counts, means, pulls };
  }
}

/** What a learner of means publishes: the arm with the highest of `means` in each row. */
export function bestArm(
  spec: EnvSpec,
  { rows, arms }: BanditSetup,
  means: ArrayLike<number>,
): Pick<BanditLearner, "policy" | "weights" | "publish"> {
  const weights = { value: zeros([rows, arms]) };
  const { start } = spec.action as Discrete;
  const policy: Acting<typeof weights> = {
    host: true,
    init: () => ({ value: zeros([rows, arms]) }),
    act({ value }, view, state) {
      // More rows than there were problems: they are the same problems again.
      const action = Int32Array.from({ length: rowsOf(view) }, (_, row) => {
        const at = (row % rows) * arms;
        let best = 0;
        for (let a = 1; a < arms; a++) if (value.data[at + a] > value.data[at + best]) best = a;
        return start + best;
      });
      return { action: tensor(action, { shape: [action.length], dtype: "i32" }), state };
    },
    best: ({ value }, view) => add(argmax(take(value, mod(iota([rowsOf(view)]), rows)), -1), start),
  };
  return { policy, weights, publish: () => weights.value.data.set(means) };
}

/** How many rows a view has. */
export function rowsOf({ observation, first }: View): number {
  return first?.size ?? (observation as Tensor).shape[0];
}

/** Fails where observations tell something that the algorithm would not see. */
export function checkBlind(name: string, { id, observation }: EnvSpec): void {
  if (flatSize(observation) > 1)
    fail(
      name,
      `observations of ${id} are ${showSpace(observation)}, which ${name} would not see: it takes bandits, where there is nothing to see. Use linucb for contexts, and q, dqn or ppo for states.`,
    );
}
