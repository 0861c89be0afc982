import type { VectorEnv } from "@reins/core";

/** Wraps an environment. */
export type Wrap = (env: VectorEnv) => VectorEnv;

/**
 * Applies wrappers to an environment, the first one innermost.
 *
 * @example
 * compose(make("Pendulum-v1"), rescaleAction, normaliseObservation, (env) => frameStack(env, 4));
 */
export function compose(env: VectorEnv, ...wraps: readonly Wrap[]): VectorEnv {
  return wraps.reduce((inner, wrap) => wrap(inner), env);
}
