import type { Generator } from "@reins/core";
import type { Model, ModelOutcome } from "./model.ts";
import type { QTable } from "./q-table.ts";
import type { ExplorationStrategy } from "./strategies.ts";

/** Settings of {@link explore}. */
export interface ExploreOptions {
  /** Who acts. */
  readonly behaviour: ExplorationStrategy;
  /** Learned from every step, whoever chose it: those of the target policy, which is greedy by them. */
  readonly values: QTable;
  readonly random: Generator;
  readonly steps: number;
  readonly learningRate: number;
  readonly gamma: number;
  /** Steps after which an episode is over. */
  readonly maxSteps: number;
  /** How often the target policy is played on the way. */
  readonly looks: number;
}

/** What became of an exploration. */
export interface Explored {
  /** Steps that the target policy took to an end, at each look; infinite where it came to none. */
  readonly lengths: readonly number[];
  /** Steps of the behaviour's episodes, in the same way. */
  readonly episodes: readonly number[];
  /** The first states. */
  readonly early: readonly number[];
}

/** Q-learning in a table from what a behaviour does, from state 0 on; how soon the target policy comes to an end is looked at on the way. */
export function explore(model: Model, o: ExploreOptions): Explored {
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
