import { type Env, type EnvSource, type VectorEnv, vectorise } from "@reins/core";
import { make } from "@reins/envs";

/**
 * What may be given where an environment is wanted: an id (`"CartPole-v1"`), a function that makes one copy (`() => new MyEnv()`) or
 * that makes a vector of some rows, or a source.
 */
export type EnvLike = string | EnvSource | ((rows: number) => VectorEnv) | (() => Env);

/** Options of an environment, by name. */
export type EnvOptions = { readonly [name: string]: unknown };

/** A source that knows more than the loop must. */
export interface Source extends EnvSource {
  readonly options: EnvOptions;
  /** Whether its state can be written to a checkpoint. */
  readonly savable: boolean;
  /** What a configuration must hold beside id and options to find it again. */
  readonly more?: { readonly [name: string]: unknown };
}

/** A source of the environments that were asked for. */
export function sourceOf(env: EnvLike, options: EnvOptions = {}): Source {
  if (typeof env === "string") {
    const makeRows = (rows: number) => make(env, { ...options, rows });
    return { spec: makeRows(1).spec, make: makeRows, options, savable: true };
  }
  if (typeof env !== "function")
    return { savable: true, options, spec: env.spec, make: (rows) => env.make(rows) };
  const first = env(1);
  if ("rows" in first)
    return { spec: first.spec, make: env as (rows: number) => VectorEnv, options, savable: true };
  return {
    spec: first.spec,
    make: (rows) => vectorise(() => (env as () => Env)(), rows),
    options,
    savable: first.save !== undefined && first.restore !== undefined,
  };
}
