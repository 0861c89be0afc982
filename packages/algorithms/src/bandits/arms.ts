import { type ActingPolicy, type Discrete, type EnvSpec, fail, type PolicyInput, size } from "@reins/core";
import { flatSize, showSpace } from "@reins/core/spaces";
import { add, argmax, iota, mod, type Tensor, take, tensor, zeros } from "@reins/tensor";
import type { BanditLearner, BanditSetup } from "./play.ts";

/** Options shared by all bandit algorithms. */
export const banditSizes = {
  envs: size(
    1,
    "Independent problems played in parallel; regret is their mean. More gives smoother averages (1 to 1000).",
    { within: "count" },
  ),
  round: size(
    100,
    "Pulls per round, approximately: schedules and metrics advance once a round. Fewer gives finer curves (1 to 1000).",
    { within: "count" },
  ),
};

/** Pull counts and mean rewards of each arm; entry `row × arms + arm`. */
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

  /** Moves an arm's mean towards a reward, by 1/n or by a fixed rate that forgets old rewards. */
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

/** Publishes the arm with the highest of `means` in each row. */
export function bestArm(
  spec: EnvSpec,
  { rows, arms }: BanditSetup,
  means: ArrayLike<number>,
): Pick<BanditLearner, "policy" | "weights" | "publish"> {
  const weights = { value: zeros([rows, arms]) };
  const { start } = spec.action as Discrete;
  const policy: ActingPolicy<typeof weights> = {
    host: true,
    init: () => ({ value: zeros([rows, arms]) }),
    act({ value }, view, state) {
      // More rows than problems: the problems repeat.
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

/** Number of rows of a view. */
export function rowsOf({ observation, first }: PolicyInput): number {
  return first?.size ?? (observation as Tensor).shape[0];
}

/** Fails if the environment has observations, which the algorithm would ignore. */
export function checkBlind(name: string, { id, observation }: EnvSpec): void {
  if (flatSize(observation) > 1)
    fail(
      name,
      `observations of ${id} are ${showSpace(observation)}, which ${name} would ignore: it takes bandits without observations. Use linucb for contexts, and q, dqn or ppo for states.`,
    );
}
