import { add, concat, mul, slice, type Tensor, where } from "@reins/tensor";

/** Columns of windows, [time, rows]. */
export interface WindowSteps {
  readonly reward: Tensor;
  /** What the value of the state after a step counts, 0 if the problem ended. */
  readonly discount: Tensor;
  /** bool: steps that are there. */
  readonly valid: Tensor;
}

/**
 * Returns over `steps` steps, [time, rows], that end in the values of the states reached, [time + 1, rows]; over fewer where the window
 * ends before. Each pass looks one step further, and stands still where there is none.
 */
export function windowReturns(
  { reward, discount, valid }: WindowSteps,
  values: Tensor,
  steps: number,
): Tensor {
  const time = reward.shape[0];
  const [begun, last] = [slice(values, [[0, time]]), slice(values, [[time, time + 1]])];
  let reached = values;
  for (let i = 0; i < steps; i++) {
    const further = add(reward, mul(discount, slice(reached, [[1, time + 1]])));
    reached = concat([where(valid, further, begun), last]);
  }
  return slice(reached, [[0, time]]);
}
