import { loadEnv, make } from "@reins/envs";
import { type EnvLike, type EnvOptions, type EnvSource, sourceOfMaker, wrapped } from "./source.ts";

/**
 * A source of environments with wrappers (by name, innermost first). It knows all names at once;
 * `train` loads them on demand.
 */
export function sourceOf(
  env: EnvLike,
  options: EnvOptions = {},
  wrappers: readonly string[] = [],
): EnvSource {
  return wrapped(typeof env === "string" ? named(env, options) : sourceOfMaker(env, options), wrappers);
}

/** Loads the environments, then returns the source by name. */
export async function loadedSource(id: string, options?: EnvOptions): Promise<EnvSource> {
  await loadEnv(id);
  return sourceOf(id, options);
}

function named(id: string, options: EnvOptions): EnvSource {
  const makeRows = (rows: number) => make(id, { ...options, rows });
  const { spec, savable, render, mask } = makeRows(1);
  return {
    spec,
    make: makeRows,
    one: () => makeRows(2),
    options,
    savable: savable !== false,
    renders: render !== undefined,
    masked: () => mask !== undefined,
  };
}
