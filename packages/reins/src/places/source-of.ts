import { loadEnv, make } from "@reins/envs";
import { type EnvLike, type EnvOptions, type EnvSource, sourceOfMaker, wrapped } from "./source.ts";

/**
 * A source of the environments that were asked for, with wrappers around them (named, the innermost first). It knows all names at once;
 * `train` loads them only when one is given.
 */
export function sourceOf(
  env: EnvLike,
  options: EnvOptions = {},
  wrappers: readonly string[] = [],
): EnvSource {
  return wrapped(typeof env === "string" ? named(env, options) : sourceOfMaker(env, options), wrappers);
}

/** The same by a name, once what the environment needs is loaded. */
export async function loadedSource(id: string, options?: EnvOptions): Promise<EnvSource> {
  await loadEnv(id);
  return sourceOf(id, options);
}

function named(id: string, options: EnvOptions): EnvSource {
  const makeRows = (rows: number) => make(id, { ...options, rows });
  const { spec, savable, mask } = makeRows(1);
  return {
    spec,
    make: makeRows,
    one: () => makeRows(2),
    options,
    savable: savable !== false,
    masked: () => mask !== undefined,
  };
}
