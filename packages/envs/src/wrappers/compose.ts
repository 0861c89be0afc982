import type { VectorEnv } from "@reins/core";

/** Puts something around an environment. */
export type Wrap = (env: VectorEnv) => VectorEnv;

/**
 * An environment with wrappers around it, the first one innermost.
 *
 * @example
 * compose(make("Pendulum-v1"), rescaleAction, normaliseObservation, (env) => frameStack(env, 4));
 */
export function compose(env: VectorEnv, ...wraps: readonly Wrap[]): VectorEnv {
  return wraps.reduce((inner, wrap) => wrap(inner), env);
}
