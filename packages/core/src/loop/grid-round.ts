import { type Bound, compile, random, type Tensor, type Tree } from "@reins/tensor";
import type { TrainState, UpdateResult } from "../learner.ts";
import type { Policy } from "../policy.ts";
import { OneCall } from "./compiled-round.ts";
import { type GridUpdate, gridUpdate } from "./grid-update.ts";
import { passesOf } from "./learn-from.ts";
import type { GridColumns, RolloutState, StepRollout, Upcoming } from "./step-rollout.ts";
import { playGrid } from "./traced-grid.ts";

/** State of a round of an on-policy method; weights, optimiser and grid are changed in place. */
export interface Round {
  readonly parts: GridUpdate & {
    readonly name: string;
    readonly steps: number;
    readonly batchable?: boolean;
  };
  readonly policy: Policy;
  readonly rollout: StepRollout;
  readonly learned: TrainState;
  readonly learnKey: Tensor;
  /** Updates so far. */
  readonly updates: Tensor;
}

type Metrics = Pick<UpdateResult<TrainState>, "metrics">;

/** The update from a filled grid, as one call per number of passes; returns its metrics. */
export function gridRound({ parts, policy, rollout, learned, learnKey, updates }: Round) {
  const make = (): Bound<Metrics & Tree> =>
    compile(
      (given: TrainState, grid: GridColumns, last: Upcoming, start: Tree, key: Tensor, count: Tensor) =>
        gridUpdate(parts, policy, given, grid, last, start, random.foldKey(key, count)),
      { name: `${parts.name} update`, donate: [0] },
    ).bind(learned, rollout.columns, rollout.upcoming, rollout.startState, learnKey, updates);
  const calls = new Map([[passesOf(parts), make()]]);
  return (): Metrics["metrics"] => {
    const passes = passesOf(parts);
    const call = calls.get(passes) ?? make();
    calls.set(passes, call);
    call.run();
    return call.result.metrics;
  };
}

/** Rollout and update as one function, for traced environments. The numbers equal those of separate steps. */
export function compiledRound(
  { parts, policy, rollout, learned, learnKey, updates }: Round,
  actKey: Tensor,
): OneCall | undefined {
  const { env, standing } = rollout;
  if (!env.traced || !standing) return undefined;
  const play = { policy, spec: env.spec, rows: env.traced, steps: parts.steps };
  return new OneCall({
    name: `${parts.name} round`,
    form: () => passesOf(parts),
    batchable: parts.batchable ?? true,
    changed: [learned, standing, rollout.columns],
    read: [env.traced.params, actKey, learnKey, updates],
    fn(changed, read) {
      const [given, at] = changed as readonly [TrainState, RolloutState];
      const [params, act, learn, count] = read as readonly [Tree, Tensor, Tensor, Tensor];
      const { at: next, grid } = playGrid(play, given.weights, params, at, act);
      const last = { view: { observation: next.observation, first: next.first }, state: next.state };
      const key = random.foldKey(learn, count);
      const { state, metrics } = gridUpdate(parts, policy, given, grid, last, at.state, key);
      return { after: [state, next, grid], metrics };
    },
  });
}
