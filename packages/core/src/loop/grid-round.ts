import { type Bound, compile, random, type Tensor, type Tree } from "@reins/tensor";
import type { TrainState, UpdateResult } from "../learner.ts";
import type { Policy } from "../policy.ts";
import { OneCall } from "./compiled-round.ts";
import { type GridUpdate, gridUpdate, type PlayedGrid } from "./grid-update.ts";
import { passesOf } from "./learn-from.ts";
import type { RolloutState, StepRollout } from "./step-rollout.ts";
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

/** The steps of a rollout, as columns that the rollout fills in place. */
export const playedOf = ({ columns, upcoming, startState }: StepRollout) => ({
  grid: columns,
  upcoming,
  start: startState,
});

/** The update from a filled grid, as one call per number of passes; returns its metrics. */
export function gridRound({ parts, policy, rollout, learned, learnKey, updates }: Round) {
  const make = (): Bound<Metrics & Tree> =>
    compile(
      (given: TrainState, played: Omit<PlayedGrid, "policy">, key: Tensor, count: Tensor) =>
        gridUpdate(parts, { ...played, policy, learned: given, key: random.foldKey(key, count) }),
      { name: `${parts.name} update`, donate: [0] },
    ).bind(learned, playedOf(rollout), learnKey, updates);
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
      const { at: next, grid } = playGrid(play, { weights: given.weights, params, at, key: act });
      const { state, metrics } = gridUpdate(parts, {
        policy,
        learned: given,
        grid,
        upcoming: { view: { observation: next.observation, first: next.first }, state: next.state },
        start: at.state,
        key: random.foldKey(learn, count),
      });
      return { after: [state, next, grid], metrics };
    },
  });
}
