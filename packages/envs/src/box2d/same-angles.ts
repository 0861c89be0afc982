import { angles } from "@reins/core";

/**
 * Loads what keeps `Math.sin` and its like for itself, and gives it ours: engines differ in their last bits between machines, and
 * after some seconds a body that would have walked falls.
 */
export function withSameAngles<T>(load: () => T): T {
  const theirs = { sin: Math.sin, cos: Math.cos, atan2: Math.atan2 };
  Object.assign(Math, angles);
  try {
    return load();
  } finally {
    Object.assign(Math, theirs);
  }
}
