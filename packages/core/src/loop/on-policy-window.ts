import { compile, random, reshape, scalar, type Tensor, type Tree, treeMap } from "@reins/tensor";
import { type AlgorithmContext, liveMetrics, type Metrics, type Started } from "../algorithm.ts";
import type { Columns } from "../batch.ts";
import { fail } from "../errors.ts";
import { requireSynchronous } from "../forms/async-answers.ts";
import { copyTree } from "../forms/copy.ts";
import type { TrainState } from "../learner.ts";
import { checkPolicy } from "../loss.ts";
import { requireInline } from "../plan.ts";
import type { ScoringPolicy } from "../policy.ts";
import { recordedStep } from "../recorded-step.ts";
import { stream } from "../stream.ts";
import { gridUpdate } from "./grid-update.ts";
import { GridWindow } from "./grid-window.ts";
import type { OnPolicyParts } from "./on-policy.ts";
import { type GridColumns, StepRollout, type Upcoming } from "./step-rollout.ts";

/** The parts of an on-policy method that trains on a window of recent grids, or acts with other weights. */
export interface OnPolicyWindowParts extends OnPolicyParts {
  /** Grids between updates. */
  readonly every: number;
  /** Latest grids that an update trains on. */
  readonly window: number;
  /**
   * The behaviour weights, given the learned weights and the window's steps scored by them (`logProb`, `value`). Pure, and called
   * before each grid; without it, the learned weights act.
   */
  readonly behaviour?: (weights: Tree, steps: Columns, key: Tensor) => Tree;
}

/**
 * As `onPolicy`, with two differences: a window of grids is trained on as if the current policy had just played all of it, and the
 * behaviour policy may have other weights.
 */
export function onPolicyWindow(parts: OnPolicyWindowParts, context: AlgorithmContext): Started {
  const { name, envs, steps, every, behaviour } = parts;
  const policy = checkPolicy(parts.loss, parts.policy, name);
  requireInline(context.plan, name);
  if (policy.memory)
    fail(name, "a policy with memory cannot score a window of old steps. Use a policy without memory.");
  if (parts.window < every)
    fail(
      name,
      `a window of ${parts.window} grids loses some of the ${every} grids between updates. Use a window of at least ${every}.`,
    );

  const [initKey, actKey, learnKey, behaveKey] = random.splitKey(context.key, 4);
  const weights = policy.init(initKey);
  const optimiser = parts.optimiser.init(weights);
  const acting = behaviour ? policy.init(initKey) : weights;
  const rollout = new StepRollout({
    env: context.env(envs),
    policy,
    weights: acting,
    steps,
    key: actKey,
    seed: stream(context.seed, "environments"),
  });
  requireSynchronous(rollout.env, parts.name);
  const window = new GridWindow(rollout.columns, parts.window);
  const grids = scalar(0, "i32");

  const update = compile(
    (learned: TrainState, grid: GridColumns, upcoming: Upcoming, key: Tensor, count: Tensor) =>
      gridUpdate(parts, {
        policy,
        learned,
        grid: scoreGrid(policy, learned.weights, grid),
        upcoming,
        key: random.foldKey(key, count),
      }),
    { name: `${name} update`, donate: [0], host: true },
  ).bind({ weights, optimiser }, window.columns, rollout.upcoming, learnKey, grids);
  const behave =
    behaviour &&
    compile(
      (w: Tree, grid: GridColumns, key: Tensor, count: Tensor) =>
        behaviour(w, flat(scoreGrid(policy, w, grid)), random.foldKey(key, count)),
      { name: `${name} behaviour`, host: true },
    ).bind(weights, window.columns, behaveKey, grids);

  const measured = update.result.metrics as Record<string, Tensor>;
  const metrics: Metrics = liveMetrics({
    ...Object.fromEntries(Object.keys(measured).map((n) => [n, () => measured[n].data[0]])),
    ...rollout.meter.live(),
  });
  return {
    get steps() {
      return rollout.steps;
    },
    step() {
      // These steps leave the window before the next update, so the behaviour policy ignores them.
      window.forget(every);
      for (let grid = 0; grid < every; grid++) {
        if (behave) {
          behave.run();
          copyTree(acting, behave.result);
        }
        rollout.next();
        window.push();
        grids.data[0]++;
      }
      update.run();
      for (const n in measured) context.statistics.of(n).noteFirst(measured[n].data);
      rollout.meter.record(context.statistics);
      return metrics;
    },
    parts: { weights, optimiser, acting, rollout, window, grids },
    acting: { policy, weights },
    inspect: () => ({ meter: rollout.meter, optimiser, columns: window.columns }),
    close: () => rollout.env.close?.(),
  };
}

/** The steps of a grid in sequence. */
const flat = (grid: GridColumns): Columns =>
  treeMap((t) => reshape(t, [-1, ...t.shape.slice(2)]), grid as Columns);

/** A grid with actions and states scored by these weights. */
function scoreGrid(policy: ScoringPolicy, weights: Tree, grid: GridColumns): GridColumns {
  const { logProb, value } = policy.score(weights, recordedStep(flat(grid)));
  const like = (t: Tensor) => reshape(t, grid.reward.shape);
  return { ...grid, logProb: like(logProb), ...(value ? { value: like(value) } : {}) };
}
