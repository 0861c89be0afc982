import type { VectorEnv } from "@reins/core";

/** Wraps an environment. */
export type EnvWrapper = (env: VectorEnv) => VectorEnv;

/**
 * Applies wrappers to an environment, the first one innermost.
 *
 * @example
 * compose(make("Pendulum-v1"), rescaleAction, normaliseObservation, (env) => frameStack(env, 4));
 */
export function compose(env: VectorEnv, ...wraps: readonly EnvWrapper[]): VectorEnv {
  return wraps.reduce((inner, wrap) => wrap(inner), env);
}
