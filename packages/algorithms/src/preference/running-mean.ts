import type { Metrics, Started } from "@reins/core";
import { whenReady } from "@reins/core/plans";
import { add, div, mul, scalar, stopGradient, type Tensor } from "@reins/tensor";

/** The mean of a metric over the batches of a run, which traced code reads. It is saved with the run. */
export interface RunningMean {
  /** Name of the metric. */
  readonly metric: string;
  readonly mean: Tensor;
  /** Batches so far. */
  readonly count: Tensor;
}

export const runningMean = (metric: string): RunningMean => ({
  metric,
  mean: scalar(0),
  count: scalar(0),
});

/** Traced: the mean with this batch in it, without a gradient. */
export const meanWith = ({ mean, count }: RunningMean, batch: Tensor): Tensor =>
  stopGradient(div(add(mul(mean, count), batch), add(count, 1)));

/** A process that moves the mean after each update. */
export function withRunningMean(process: Started, { metric, mean, count }: RunningMean): Started {
  const { step } = process;
  const move = (metrics: Metrics) => {
    const now = metrics[metric];
    if (now !== undefined) {
      const n = ++count.data[0];
      mean.data[0] += (now - mean.data[0]) / n;
    }
    return metrics;
  };
  Object.assign(process.parts, { mean: { mean, count } });
  return Object.assign(process, { step: () => whenReady(step(), move) });
}
