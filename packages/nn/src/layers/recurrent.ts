import { expandDims, random, scan, type Tensor, type Tree, treeMap, where } from "@reins/tensor";
import { fail, show } from "../errors.ts";
import type { Recurrent, RecurrentStep } from "../layer.ts";

/** A recurrent cell in two parts: one that depends only on the input, and one that needs the state. */
export interface RecurrentCell<P extends Tree, S extends Tree> {
  init(key: Tensor): P;
  start(batch: number): S;
  /** The input's part, on any leading axes: over time it is one matrix product for all steps. */
  project(params: P, x: Tensor): Tensor;
  advance(params: P, projected: Tensor, state: S): RecurrentStep<S>;
}

/** The state with rows set to 0 where `reset` (bool [batch]) is true. */
export function resetRows<S extends Tree>(state: S, reset: Tensor | undefined): S {
  if (!reset) return state;
  const zero = (s: Tensor) => {
    let mask = reset;
    while (mask.rank < s.rank) mask = expandDims(mask, -1);
    return where(mask, 0, s);
  };
  return treeMap(zero, state);
}

/** A {@link Recurrent} layer from a cell: one loop over time, of any length. */
export function recurrent<P extends Tree, S extends Tree>(cell: RecurrentCell<P, S>): Recurrent<P, S> {
  return {
    init: cell.init,
    start: cell.start,
    step: (params, x, state, reset) => cell.advance(params, cell.project(params, x), resetRows(state, reset)),
    sequence(params, xs, state, resets) {
      if (xs.rank < 3)
        fail(
          "sequence",
          `expects [time, batch, features], but got ${show(xs.shape)}. Use step() for a single time step.`,
        );
      const { carry, ys } = scan(
        (s: S, at: { x: Tensor; reset?: Tensor }) => {
          const { output, state: next } = cell.advance(params, at.x, resetRows(s, at.reset));
          return [next, output] as const;
        },
        state,
        { x: cell.project(params, xs), reset: resets } as { x: Tensor; reset?: Tensor },
      );
      return { output: ys, state: carry };
    },
  };
}

/** Several recurrent layers on top of each other; the state is a list. */
export function stackRecurrent<P extends Tree, S extends Tree>(
  layers: readonly Recurrent<P, S>[],
): Recurrent<P[], S[]> {
  const through = (
    x: Tensor,
    run: (layer: Recurrent<P, S>, i: number, x: Tensor) => RecurrentStep<S>,
  ): RecurrentStep<S[]> => {
    const state: S[] = [];
    const output = layers.reduce((y, layer, i) => {
      const step = run(layer, i, y);
      state.push(step.state);
      return step.output;
    }, x);
    return { output, state };
  };
  return {
    init: (key) => random.splitKey(key, layers.length).map((k, i) => layers[i].init(k)),
    start: (batch) => layers.map((l) => l.start(batch)),
    step: (params, x, state, reset) => through(x, (l, i, y) => l.step(params[i], y, state[i], reset)),
    sequence: (params, xs, state, resets) =>
      through(xs, (l, i, y) => l.sequence(params[i], y, state[i], resets)),
  };
}
