import * as nn from "@reins/nn";
import {
  concat,
  expandDims,
  slice,
  stopGradient,
  type Tensor,
  type Tree,
  treeMap,
  where,
} from "@reins/tensor";
import type { RecurrentQNetwork, RecurrentQParams } from "./recurrent-network.ts";

/** Replayed windows, [length + 1, rows, …], and the recurrent states at their start. */
export interface ReplayedWindow {
  /** Observations of all steps and the final one. */
  readonly seen: Tree;
  readonly memory: Tree;
  /** Rows whose window begins an episode. */
  readonly fresh: Tensor;
  /** Burn-in steps, which only bring the recurrent state up to date. */
  readonly burnIn: number;
}

/** Action values along windows. The burn-in has no gradient, except at an episode's start, where the whole window is trained. */
export function windowValues(
  network: RecurrentQNetwork,
  weights: RecurrentQParams,
  { seen, memory, fresh, burnIn }: ReplayedWindow,
  learn?: Tensor,
): Tensor {
  const begun = nn.resetRows(memory, fresh);
  if (burnIn === 0) return network.sequence(weights, seen, begun, learn).values;
  const warm = network.sequence(
    weights,
    treeMap((t) => slice(t, [[0, burnIn]]), seen),
    begun,
    learn,
  );
  const own = treeMap((t) => where(alongRows(fresh, t), t, stopGradient(t)), warm.state);
  const rest = treeMap((t) => slice(t, [[burnIn, t.shape[0]]]), seen);
  return concat([warm.values, network.sequence(weights, rest, own, learn).values]);
}

/** A flag for each row, with the axes of a tensor [rows, …]. */
function alongRows(flag: Tensor, t: Tensor): Tensor {
  return t.rank > flag.rank ? alongRows(expandDims(flag, -1), t) : flag;
}
