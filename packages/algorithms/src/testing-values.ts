import * as signals from "@reins/core/signals";

/** Settings with which replay methods learn the corridor in a second or two. */
export const quick = {
  hidden: [16],
  batch: 32,
  learningStarts: 64,
  trainEvery: 1,
  targetEvery: 20,
  learningRate: 5e-3,
  capacity: 500,
  gamma: 0.9,
  epsilon: signals.linear(1, 0.1, 0.3),
};
