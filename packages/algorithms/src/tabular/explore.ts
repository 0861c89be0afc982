import type { Generator } from "@reins/core/random";
import type { Model, ModelOutcome } from "./model.ts";
import type { QTable } from "./q-table.ts";
import type { ExplorationStrategy } from "./strategies.ts";

/** Settings of {@link exploreTabular}. */
export interface ExploreOptions {
  /** The behaviour policy. */
  readonly behaviour: ExplorationStrategy;
  /** Action values learned from every step, off-policy; the target policy is greedy in them. */
  readonly values: QTable;
  readonly random: Generator;
  readonly steps: number;
  readonly learningRate: number;
  readonly gamma: number;
  /** Maximum episode length. */
  readonly maxSteps: number;
  /** Number of evaluations of the target policy. */
  readonly looks: number;
}

/** Result of an exploration. */
export interface ExplorationResult {
  /** Steps of the target policy to a terminal state, per evaluation; Infinity if it reaches none. */
  readonly lengths: readonly number[];
  /** Steps of the behaviour policy's episodes; Infinity if one reaches no terminal state. */
  readonly episodes: readonly number[];
  /** The initial states. */
  readonly early: readonly number[];
}

/**
 * Off-policy Q-learning in a table from a behaviour policy, from state 0, with evaluations of the target policy
 * along the way.
 */
export function exploreTabular(model: Model, o: ExploreOptions): ExplorationResult {
  const { behaviour, values, random, steps, maxSteps } = o;
  const happens = (state: number, action: number): ModelOutcome => {
    const outcomes = model.transition[state][action];
    let left = random.random();
    for (const outcome of outcomes) if ((left -= outcome.probability) < 0) return outcome;
    return outcomes[outcomes.length - 1];
  };
  const look = (): number => {
    for (let [state, t] = [0, 1]; t <= maxSteps; t++) {
      const next = happens(state, values.best(state));
      if (next.terminated) return t;
      state = next.state;
    }
    return Number.POSITIVE_INFINITY;
  };
  const [lengths, episodes, early]: number[][] = [[], [], []];
  let [state, time] = [0, 0];
  for (let t = 1; t <= steps; t++) {
    const action = behaviour.act(state);
    const { state: next, reward, terminated } = happens(state, action);
    const step = { state, action, reward, next, terminated };
    values.learn(step, o.learningRate, o.gamma);
    behaviour.told?.(step);
    if (early.length < 20) early.push(next);
    state = next;
    time++;
    if (terminated || time === maxSteps) {
      episodes.push(terminated ? time : Number.POSITIVE_INFINITY);
      [state, time] = [0, 0];
      behaviour.begin?.();
    }
    if (t % Math.floor(steps / o.looks) === 0) lengths.push(look());
  }
  return { lengths, episodes, early };
}
