import { add, concat, mul, slice, type Tensor, where } from "@reins/tensor";

/** Columns of windows, [time, rows]. */
export interface WindowSteps {
  readonly reward: Tensor;
  /** Discount of the value after a step, 0 at terminal states. */
  readonly discount: Tensor;
  /** bool: valid steps. */
  readonly valid: Tensor;
}

/**
 * n-step returns, [time, rows], that bootstrap from the values of the states reached, [time + 1, rows]; shorter
 * where the window ends. Each iteration extends them by one step and stops where there is none.
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
