import { angles } from "@reins/core/random";

/**
 * Loads a module that captures `Math.sin` and similar functions, with ours in their place: JavaScript engines
 * differ in the last bits, and after some seconds a body that would have walked falls.
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
