import { type EnvLike, type EnvOptions, type EnvSource, sourceOfMaker } from "./source.ts";

/** The source of environments, by name or as an object. */
export async function placeAt(env: EnvLike, options?: EnvOptions): Promise<EnvSource> {
  if (typeof env !== "string") return sourceOfMaker(env, options);
  const { loadedSource } = await import("./environments.ts");
  return loadedSource(env, options);
}
