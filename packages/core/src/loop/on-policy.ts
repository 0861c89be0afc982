import {
  add,
  compile,
  concat,
  div,
  leaves,
  mean,
  mul,
  or,
  random,
  reshape,
  scalar,
  scan,
  slice,
  stack,
  std,
  sub,
  sum,
  type Tensor,
  type Tree,
  take,
  treeMap,
  valueAndGradient,
  where,
} from "@reins/tensor";
import type { Context, Metrics, Process } from "../algorithm.ts";
import { fail } from "../errors.ts";
import { admitPolicy, type Term } from "../loss.ts";
import type { nn } from "../nn.ts";
import { admit } from "../plan.ts";
import type { Policy, View } from "../policy.ts";
import type { Live } from "../signals/live.ts";
import type { Columns, Stretch } from "../target.ts";
import { type GridColumns, StepRollout } from "./step-rollout.ts";

/** The parts of an on-policy method. */
export interface OnPolicyParts {
  readonly name: string;
  readonly policy: Policy<never, never> | Policy;
  readonly target: (stretch: Stretch & Columns) => { readonly [name: string]: Tensor };
  readonly loss: Term;
  readonly optimiser: nn.Optimiser;
  readonly learningRate: number | Live;
  /** Longest gradient; longer ones are shortened. */
  readonly clipNorm?: number | Live;
  /** Rows: environments played at once. */
  readonly envs: number;
  /** Steps of each environment between updates. */
  readonly steps: number;
  /** Passes over a batch. */
  readonly epochs: number;
  /** Parts into which each pass is cut. */
  readonly minibatches: number;
  /** Over what advantages are brought to mean 0 and deviation 1. */
  readonly normalise: "minibatch" | "batch" | "none";
}

/** Gather a grid of steps, compute targets, learn from shuffled minibatches, repeat. The whole update is one compiled call. */
export function onPolicy(parts: OnPolicyParts, context: Context): Omit<Process, "settings"> {
  const { name, envs, steps, minibatches, loss } = parts;
  const policy = parts.policy as Policy;
  const size = envs * steps;
  if (size % minibatches !== 0 || (policy.memory && envs % minibatches !== 0))
    fail(
      name,
      policy.memory
        ? `${envs} environments cannot be cut into ${minibatches} minibatches of whole sequences.`
        : `${envs} environments × ${steps} steps cannot be cut into ${minibatches} equal minibatches.`,
    );
  admitPolicy(loss, policy.likelihood, name);
  admit(context.plan, name, { likelihood: policy.likelihood, corrects: loss.corrects ?? false });

  const [initKey, actKey, learnKey] = random.splitKey(context.key, 3);
  const weights = policy.init(initKey);
  const optimiser = parts.optimiser.init(weights);
  const rollout = new StepRollout({
    env: context.env(envs),
    policy,
    weights,
    steps,
    key: actKey,
    seed: context.seed,
  });
  const stream = context.plan.place(name, rollout, {
    likelihood: policy.likelihood,
    corrects: loss.corrects ?? false,
  });

  const updates = scalar(0, "i32");
  const compiled = compile(
    (
      w: Tree,
      o: nn.OptimiserState<Tree>,
      grid: GridColumns,
      last: View,
      start: Tree,
      key: Tensor,
      count: Tensor,
    ) => update(parts, policy, w, o, grid, last, start, random.foldKey(key, count)) as unknown as Tree,
    { name: `${name} update`, donate: [0, 1] },
  );
  const bound = compiled.bind(
    weights,
    optimiser as never,
    rollout.columns as never,
    rollout.view as never,
    rollout.startState,
    learnKey,
    updates,
  );
  const measured = (bound.result as unknown as { metrics: Record<string, Tensor> }).metrics;
  const names = Object.keys(measured);
  const metrics: Metrics = {};

  return {
    get steps() {
      return rollout.steps;
    },
    step() {
      const learn = () => {
        bound.run();
        updates.data[0]++;
        stream.publish();
        for (const n of names) {
          metrics[n] = measured[n].data[0];
          context.statistics.record(n, metrics[n]);
        }
        rollout.meter.report(metrics, context.statistics);
        return metrics;
      };
      const batch = stream.next();
      return batch instanceof Promise ? batch.then(learn) : learn();
    },
    parts: { weights, optimiser, rollout, updates },
    acting: { policy, weights },
    close: () => rollout.env.close?.(),
  };
}

/** The pure update: targets from the grid, then minibatches in a scan. */
function update(
  parts: OnPolicyParts,
  policy: Policy,
  weights: Tree,
  optimiser: nn.OptimiserState<Tree>,
  grid: GridColumns,
  last: View,
  start: Tree,
  key: Tensor,
) {
  const { epochs, minibatches, normalise } = parts;
  const [time, rows] = grid.reward.shape;
  const columns: Record<string, Tree> = { ...grid, ...stretchOf(policy, weights, grid, last, start) };
  Object.assign(columns, parts.target(columns as unknown as Stretch & Columns));
  if (normalise === "batch") columns.advantage = standard(columns.advantage as Tensor);

  // With memory a minibatch is a set of whole rows; without, any set of steps.
  const units = policy.memory ? rows : time * rows;
  const flat = policy.memory
    ? columns
    : (treeMap((t) => reshape(t, [time * rows, ...t.shape.slice(2)]), columns as Tree) as Columns);
  const axis = policy.memory ? 1 : 0;
  const batch = units / minibatches;
  const [shuffleKey, lossKey] = random.splitKey(key, 2);
  const orders = Array.from({ length: epochs }, (_, e) =>
    // One minibatch an epoch needs no order.
    minibatches === 1 ? undefined : random.permutation(random.foldKey(shuffleKey, e), units),
  );
  const body = (
    carry: { weights: Tree; optimiser: nn.OptimiserState<Tree>; count: Tensor },
    order: Tensor | undefined,
  ) => {
    const pick = (t: Tensor) => (order ? take(t, order, axis) : t);
    const chosen = treeMap(pick, flat as Tree) as Record<string, Tree>;
    if (normalise === "minibatch") chosen.advantage = standard(chosen.advantage as Tensor);
    const state = policy.memory ? treeMap((t) => (order ? take(t, order, 0) : t), start) : undefined;
    const {
      value: total,
      gradient,
      reported,
    } = lossGradient(parts.loss, policy, carry.weights, chosen, state, random.foldKey(lossKey, carry.count));
    const norm = gradientNorm(gradient);
    const clipped = parts.clipNorm === undefined ? gradient : shorten(gradient, norm, read(parts.clipNorm));
    const next = parts.optimiser.update(clipped, carry.optimiser, carry.weights, {
      learningRate: read(parts.learningRate),
    });
    return [
      { weights: next.params, optimiser: next.state, count: add(carry.count, 1) },
      { ...reported, "loss/total": total, "gradient/norm": norm },
    ] as const;
  };
  const zero = scalarLike(0);
  const carry = { weights, optimiser, count: zero };
  const { carry: learnt, ys } =
    minibatches === 1
      ? scan((c: typeof carry, _: Tree) => body(c, undefined), carry, undefined as never, { length: epochs })
      : scan(
          (c: typeof carry, order: Tensor) => body(c, order),
          carry,
          reshape(stack(orders as Tensor[]), [epochs * minibatches, batch]),
        );
  const metrics = Object.fromEntries(
    Object.entries(ys as Record<string, Tensor>).map(([n, t]) => [n, mean(t)]),
  );
  const value = columns.value as Tensor | undefined;
  if (value && columns.return) metrics["value/explained"] = explained(value, columns.return as Tensor);
  return { weights: learnt.weights, optimiser: learnt.optimiser, metrics };
}

const scalarLike = (x: number) => add(scalar(0, "i32"), x);
const read = (s: number | Live) => (typeof s === "number" ? s : s.tensor);
const standard = (x: Tensor) => div(sub(x, mean(x)), add(std(x), 1e-8));

/** Value of the state that each step led to, and where episodes ended. */
function stretchOf(policy: Policy, weights: Tree, grid: GridColumns, last: View, start: Tree) {
  const done = or(grid.terminated, grid.truncated);
  if (!policy.value || !grid.value) return { done };
  const rows = grid.reward.shape[1];
  const final = reshape(policy.value(weights, last, start), [1, rows]);
  const shifted =
    grid.value.shape[0] === 1 ? final : concat([slice(grid.value, [[1, grid.value.shape[0]]]), final]);
  return { done, nextValue: where(grid.truncated, grid.bootstrap, shifted) };
}

/** Loss and gradient of a minibatch, with what its terms report. */
export function lossGradient(
  loss: Term,
  policy: Policy,
  weights: Tree,
  columns: Columns,
  state: Tree | undefined,
  key: Tensor,
): { value: Tensor; gradient: Tree; reported: Record<string, Tensor> } {
  const { value, gradient, aux } = valueAndGradient((w: Tree): readonly [Tensor, Record<string, Tensor>] => {
    const reported: Record<string, Tensor> = {};
    const { observation, mask, first, action, trace, alive } = columns as unknown as GridColumns;
    const judged = policy.evaluate!(w, { observation, mask, first }, action, trace, state);
    const average = (t: Tensor) => (alive ? weightedMean(t, alive) : mean(t));
    const total = loss.value({
      judged,
      columns,
      key,
      report: (name, t) => {
        reported[name] = average(t);
      },
    });
    return [average(total), reported];
  })(weights);
  return { value, gradient, reported: aux };
}

/** The mean over rows that count. */
function weightedMean(x: Tensor, alive: Tensor): Tensor {
  const weight = where(alive, 1, 0);
  return div(sum(mul(x, weight)), add(sum(weight), 1e-8));
}

/** The length of a gradient over all parameters. */
export function gradientNorm(gradient: Tree): Tensor {
  return leaves(gradient)
    .map((g) => sum(mul(g, g)))
    .reduce((a, b) => add(a, b))
    .sqrt();
}

function shorten(gradient: Tree, norm: Tensor, limit: number | Tensor): Tree {
  const factor = where(norm.gt(limit), div(limit, add(norm, 1e-6)), 1);
  return treeMap((g) => mul(g, factor), gradient);
}

/** How much of the returns' variance the critic explained: 1 is perfect, 0 no better than their mean, below 0 worse. */
function explained(value: Tensor, target: Tensor): Tensor {
  const rest = sub(target, value);
  const centred = sub(target, mean(target));
  const off = sub(rest, mean(rest));
  return sub(1, div(mean(mul(off, off)), add(mean(mul(centred, centred)), 1e-8)));
}
