import {
  abs,
  add,
  leaves,
  lt,
  matchLeaves,
  scalar,
  type Tensor,
  type TensorLike,
  type Tree,
  treeMap,
  unflattenTree,
  where,
  zerosLike,
} from "@reins/tensor";
import { fail, show } from "../errors.ts";
import { flattenNames } from "../names.ts";

/** Settings that may change between updates. */
export interface UpdateSettings {
  /** Learning rate, a number or a scalar tensor, instead of the optimiser's own. */
  learningRate?: TensorLike;
}

/** An optimiser is two pure functions; both work inside `compile()`, where parameters and state are updated in place if donated. */
export interface Optimiser {
  init<T extends Tree>(params: T): OptimiserState<T>;
  update<T extends Tree>(
    gradients: T,
    state: OptimiserState<T>,
    params: T,
    settings?: UpdateSettings,
  ): OptimiserResult<T>;
}

/** The number of updates made (i32), and running statistics in the nesting of the parameters. */
export type OptimiserState<T extends Tree> = { step: Tensor; slots: { [name: string]: T } };

/** Result of an update. */
export type OptimiserResult<T extends Tree> = { params: T; state: OptimiserState<T> };

/** Weight decay: its strength, and the parameters it applies to. */
export interface DecayOptions {
  /** Weight decay. Higher regularises more (0 to 0.1). */
  weightDecay?: number;
  /** Which parameters decay, by name and tensor (default: all, as in PyTorch). `(_, t) => t.rank > 1` excludes biases and norms. */
  decays?: (name: string, param: Tensor) => boolean;
}

/** The update rule of one parameter. */
export interface UpdateRule {
  /** Statistics of every parameter, all starting at 0. */
  slots: readonly string[];
  learningRate: number;
  decay: DecayOptions;
  /** Values common to all parameters, from the number of this update (i32, from 1) and the learning rate. */
  prepare(
    step: Tensor,
    learningRate: TensorLike,
  ): (p: Tensor, g: Tensor, slots: Tensor[], decay: number) => [param: Tensor, ...slots: Tensor[]];
}

/** An optimiser with the same rule for every parameter. */
export function elementwise(name: string, rule: UpdateRule): Optimiser {
  const { weightDecay = 0, decays } = rule.decay;
  return {
    init: (params) => ({
      step: scalar(0, "i32"),
      slots: Object.fromEntries(rule.slots.map((s) => [s, treeMap(zerosLike, params)])),
    }),
    update(gradients, state, params, { learningRate = rule.learningRate } = {}) {
      const ps = leaves(params);
      const gs = matchLeaves(params, gradients, name, "the tree of gradients");
      const names = [...flattenNames(params).keys()];
      const slots = rule.slots.map((s) => matchLeaves(params, state.slots[s], name, `the state "${s}"`));
      const step = add(state.step, 1);
      const updateOne = rule.prepare(step, learningRate);
      const results = ps.map((p, i) => {
        if (p.dtype !== "f32") return [p, ...slots.map((s) => s[i])];
        if (gs[i].shape.join() !== p.shape.join())
          fail(
            name,
            `the gradient of "${names[i]}" has shape ${show(gs[i].shape)}; the parameter has ${show(p.shape)}.`,
          );
        return updateOne(
          p,
          gs[i],
          slots.map((s) => s[i]),
          decays?.(names[i], p) === false ? 0 : weightDecay,
        );
      });
      const column = (k: number) =>
        unflattenTree(
          params,
          results.map((r) => r[k]),
        );
      return {
        params: column(0),
        state: { step, slots: Object.fromEntries(rule.slots.map((s, k) => [s, column(k + 1)])) },
      };
    },
  };
}

/** Flushes tiny running statistics to 0: arithmetic on denormal numbers is over ten times slower. */
export function flush(x: Tensor): Tensor {
  return where(lt(abs(x), 1e-30), 0, x);
}
